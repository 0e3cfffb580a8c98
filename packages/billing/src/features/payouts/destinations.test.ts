import { Memo, MuxedId } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { writeStrkey } from '@quittance/ledger'
import { done, refused } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { command } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'

let front: StoreFront
let payouts: ReturnType<typeof payoutsIn>
beforeEach(async () => {
  front = await openStoreFront()
  payouts = payoutsIn(front)
})
afterEach(() => front.close())

const dayMs = 24 * 3_600_000

describe('a payout destination', () => {
  const destinations = () => front.billing.payouts.destinations
  const register = (address: string, memo: Parameters<typeof payouts.wanted>[1] = {}) =>
    done(destinations().register(payouts.now(), { address, memo: memo.memo ?? null, label: null }))

  it('a payout may go to an address that is proven or a day old', async () => {
    await payouts.earn(1)
    const { id, usable_from, via } = await register(front.other.account)
    expect([via, Date.parse(usable_from) - front.network.now()]).toEqual(['waiting', dayMs])
    expect(await refused(payouts.request(id))).toMatchObject({ _tag: 'DestinationNotUsableYet' })
    front.network.wait(dayMs - 1000)
    expect(await refused(payouts.request(id))).toMatchObject({ _tag: 'DestinationNotUsableYet' })
    front.network.wait(1000)
    expect(await done(payouts.request(id))).toMatchObject({ status: 'pending' })
  })

  it('only the owner can prove a destination, with the challenge made for it', async () => {
    const [one, other] = [await register(front.payer.account), await register(front.payer.account)]
    const signed = front.payer.sign(one.challenge?.transaction ?? '')
    expect(await refused(destinations().verify(payouts.now(), other.id, signed))).toMatchObject({
      _tag: 'ChallengeInvalid',
    })
    const stranger = command(front.platform, 'mer_another')
    expect(await refused(destinations().verify(stranger, one.id, signed))).toEqual({
      _tag: 'PayoutDestinationNotFound',
    })
    const byThief = front.other.sign(one.challenge?.transaction ?? '')
    expect(await refused(destinations().verify(payouts.now(), one.id, byThief))).toMatchObject({
      _tag: 'SignaturesInsufficient',
    })
    const context = payouts.now()
    const proven = await done(destinations().verify(context, one.id, signed))
    expect(proven).toMatchObject({ id: one.id, via: 'proven' })
    expect(await done(destinations().verify(context, one.id, signed))).toEqual(proven)
    expect(await refused(destinations().verify(payouts.now(), one.id, signed))).toEqual({ _tag: 'ChallengeSpent' })
  })

  it('the merchant hears of a new destination at once', async () => {
    const { id } = await register(front.other.account)
    const events = await (await front.platform.shown()).publicEvents.page({
      ...front.scope,
      after: null,
      type: 'payout_destination.created',
      resourceId: id,
      limit: 10,
    })
    expect(events.publicEvents).toHaveLength(1)
  })

  it('rejects a removed destination, an ambiguous address and changes by another merchant', async () => {
    await payouts.earn(1)
    const id = await payouts.destination()
    await payouts.destination()
    expect(await refused(payouts.request(front.payer.account))).toEqual({ _tag: 'DestinationAmbiguous' })
    await done(destinations().remove(payouts.now(), id))
    expect(await refused(payouts.request(id))).toEqual({ _tag: 'PayoutDestinationNotFound' })
    expect(await done(payouts.request(front.payer.account))).toMatchObject({ destination: front.payer.account })
    const stranger = command(front.platform, 'mer_another')
    expect(await refused(destinations().remove(stranger, id))).toEqual({ _tag: 'PayoutDestinationNotFound' })
  })

  it('destinations at a shared address differ by their memo', async () => {
    await payouts.earn(3)
    const exchange = front.other
    exchange.requireMemo()
    front.network.omnibusAccounts.add(exchange.account)
    const memo = decoded(Memo, { type: 'text', value: 'user 1042' })
    const bare = await register(exchange.account)
    const named = await register(exchange.account, { memo })
    const address = writeStrkey({ _tag: 'muxed_account', account: exchange.account, muxedId: '7' })
    const muxed = await register(address)
    expect([named.memo, named.memo_type, muxed.address, muxed.challenge]).toEqual(['user 1042', 'text', address, null])
    front.network.wait(dayMs)
    expect(await refused(payouts.request(bare.id))).toEqual({ _tag: 'DestinationUnfit', reason: 'is_omnibus' })
    const [one, two] = [await done(payouts.request(named.id)), await done(payouts.request(muxed.id))]
    expect([one.memo, two.destination]).toEqual(['user 1042', address])
    expect(await payouts.ended(one)).toMatchObject({ status: 'succeeded' })
    expect(await payouts.ended(two)).toMatchObject({ status: 'succeeded' })
    expect((await payouts.intentsOf(two.id)).map(({ details }) => details.action)).toMatchObject([
      { destinationMuxedId: decoded(MuxedId, '7') },
    ])
  })

  it('callers without a secret key cannot change the memo of a payout', async () => {
    await payouts.earn(1)
    const memo = decoded(Memo, { type: 'text', value: 'user 1042' })
    const { id } = await register(front.other.account, { memo })
    front.network.wait(dayMs)
    const thief = decoded(Memo, { type: 'text', value: 'user 666' })
    expect(await refused(payouts.request(id, { memo: thief, mayChangeMemo: false }))).toEqual({
      _tag: 'MemoNotRegistered',
    })
    expect(await done(payouts.request(id, { memo, mayChangeMemo: false }))).toMatchObject({ memo: 'user 1042' })
  })

  it('rejects our own accounts as destinations', async () => {
    const { id } = await register(front.account)
    front.network.wait(dayMs)
    expect(await refused(payouts.request(id))).toEqual({ _tag: 'DestinationUnfit', reason: 'is_own' })
  })

  it('a destination must be the address of an account', async () => {
    for (const address of ['', 'GABC', front.payer.secret, front.network.sandbox.mandateContract])
      expect(await refused(destinations().register(payouts.now(), { address, memo: null, label: null }))).toEqual({
        _tag: 'AddressMalformed',
      })
  })
})
