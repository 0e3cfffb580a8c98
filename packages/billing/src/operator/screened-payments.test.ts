import { hourMs, stroops } from '@quittance/domain'
import { acceptLog } from '../testing/accept-log.ts'
import { exceptionsIn } from '../testing/exceptions.ts'
import { done, refused } from '../testing/outcomes.ts'
import { payoutsIn } from '../testing/payouts.ts'
import { backUp, restore } from '../testing/restored.ts'
import { openNextDoor, type StoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'
import { decide, heldIn, ledgers, list, openScreened } from './testing/screened-shop.ts'

describe('an incoming payment of a listed address', () => {
  let front: StoreFront
  beforeEach(async () => {
    front = await openScreened()
    list(front, front.payer.account)
  })
  afterEach(() => front.close())

  it('is held: its checkout stays open, nothing goes back, and no key of the merchant decides', async () => {
    const { of, resolve, known, eventsOf } = exceptionsIn(front)
    const { id } = await front.sell()
    const exception = await of(await front.pay(id, [units(10)]))
    expect(exception).toMatchObject({ kind: 'screened', status: 'open', checkout_id: id, decision_needed: 'screening' })
    await ledgers(front, 4)
    expect(await eventsOf(exception)).toEqual(['ExceptionOpened'])
    expect(await front.checkout(id)).toMatchObject({ status: 'open' })
    expect(await front.payments(id)).toEqual([])
    const heldForOperator = { _tag: 'HeldForOperator' }
    const note = null
    for (const resolution of [
      { action: 'refund' as const, destination: null, note },
      { action: 'refund' as const, destination: front.other.account, mayNameAnyAddress: true, note },
      { action: 'apply' as const, checkoutId: id, note },
      { action: 'accept' as const, note },
    ])
      expect(await refused(resolve(exception, resolution))).toEqual(heldForOperator)
    expect(await payoutsIn(front).balance()).toMatchObject({ held: '10', available: '0' })
    expect(await known(exception)).toMatchObject({ status: 'open', return_status: null })
    expect(await heldIn(front)).toMatchObject([
      { subject: exception.id, kind: 'incoming', address: front.payer.account, isKept: false },
    ])
  })

  it('tells the payer nothing: to the page the checkout waits, and then expires', async () => {
    const { id, expires_at } = await front.sell()
    await front.pay(id, [units(10)])
    expect(await done(front.billing.payer.status(id))).toMatchObject({ status: 'open', amount_received: '0' })
    front.network.wait(Date.parse(expires_at) - front.network.now() + 1_000)
    await front.step()
    expect(await done(front.billing.payer.status(id))).toMatchObject({ status: 'expired', failure_reason: null })
  })

  it('counts for its checkout once the operator accepts it', async () => {
    const { of, known } = exceptionsIn(front)
    const { id } = await front.sell()
    const exception = await of(await front.pay(id, [units(10)]))
    expect(await done(decide(front, exception.id, 'accept'))).toEqual({ isNew: true, isLeftToMerchant: false })
    expect(await known(exception)).toMatchObject({ status: 'resolved', action: 'apply', resolved_by: 'operator' })
    expect(await front.checkout(id)).toMatchObject({ status: 'completed' })
    expect((await front.payments(id)).map(({ status }) => status)).toEqual(['confirmed'])
    expect(await heldIn(front)).toEqual([])
  })

  it('is the merchant’s to decide about if it names nothing, or its checkout does not take it any more', async () => {
    const { of, resolve, known } = exceptionsIn(front)
    const { id, expires_at } = await front.sell()
    const [stray, late] = [await of(await front.pay('hello', [units(3)])), await of(await front.pay(id, [units(4)]))]
    front.network.wait(Date.parse(expires_at) - front.network.now() + 25 * hourMs)
    await front.step()
    for (const exception of [stray, late]) {
      expect(await done(decide(front, exception.id, 'accept'))).toEqual({ isNew: true, isLeftToMerchant: true })
      expect(await known(exception)).toMatchObject({ status: 'open', decision_needed: 'screening_cleared' })
    }
    await done(resolve(stray, { action: 'accept', note: null }))
    expect(await known(stray)).toMatchObject({ status: 'resolved', action: 'accept', resolved_by: 'test' })
  })

  it('goes back once if the operator returns it', async () => {
    const { of, settled, held } = exceptionsIn(front)
    const { id } = await front.sell()
    const exception = await of(await front.pay(id, [units(10)]))
    const before = await held(front.payer.account)
    await done(decide(front, exception.id, 'return'))
    expect((await refused(decide(front, exception.id, 'return')))._tag).toBe('ReturnUnderWay')
    expect(await settled(exception)).toMatchObject({ return_status: 'succeeded', action: 'refund' })
    await ledgers(front, 3)
    expect((await held(front.payer.account)) - before).toBe(units(10))
  })

  it('stays held if the operator keeps it, without an alarm, and can be decided later', async () => {
    const { of, known } = exceptionsIn(front)
    const exception = await of(await front.pay(null, [units(5)]))
    await done(decide(front, exception.id, 'keep'))
    await ledgers(front, 3, 40 * hourMs)
    expect(await known(exception)).toMatchObject({ status: 'open', decision_needed: 'screening_kept' })
    expect(front.platform.alarms.filter((each) => JSON.stringify(each).includes(exception.id))).toEqual([])
    expect(await payoutsIn(front).balance()).toMatchObject({ held: '5' })
    expect(await heldIn(front)).toMatchObject([{ isKept: true }])
    await done(decide(front, exception.id, 'accept'))
    expect(await known(exception)).toMatchObject({ decision_needed: 'screening_cleared' })
  })

  it('is held by its sender alone: others of the same ledger are placed', async () => {
    const { id } = await front.sell()
    front.payer.pay({
      to: front.account,
      asset: front.network.usdc.assetId,
      parts: [units(1)],
      memo: await front.memoOf(id),
    })
    await front.pay(id, [units(10)], { from: front.other })
    expect(await front.checkout(id)).toMatchObject({ status: 'completed' })
    expect(await front.exceptionsOf(id)).toEqual([{ kind: 'screened', amount: units(1) }])
  })

  it('is few exceptions, however many payments come at once', async () => {
    await front.pay(
      null,
      Array.from({ length: 60 }, () => stroops(1n)),
    )
    expect((await exceptionsIn(front).all()).map(({ kind, payments }) => [kind, payments])).toEqual([['screened', 60]])
  })

  it('is held again from a restored log, and a return that was sent is not sent again', async () => {
    const { id } = await front.sell()
    const backup = backUp(front)
    const [first, second] = [await front.pay(id, [units(10)]), await front.pay('hello', [units(2)])]
    const before = exceptionsIn(front)
    const [kept, returned] = [await before.of(first), await before.of(second)]
    const held = await before.held(front.payer.account)
    await done(decide(front, returned.id, 'return'))
    await before.settled(returned)
    const restored = await restore(front, backup, 'kept')
    await ledgers(restored, 2)
    await acceptLog(restored)
    await ledgers(restored, 40)
    const after = exceptionsIn(restored)
    expect(await after.known(kept)).toMatchObject({
      kind: 'screened',
      decision_needed: 'screening',
      return_status: null,
    })
    expect(await after.known(returned)).toMatchObject({ return_status: 'succeeded', status: 'resolved' })
    expect((await after.held(front.payer.account)) - held).toBe(units(2))
    expect(await restored.checkout(id)).toMatchObject({ status: 'open' })
    front = restored
  })
})

describe('an incoming payment while nobody can be asked', () => {
  it('waits, delays nobody else, and counts in time once it was screened', async () => {
    const front = await openScreened()
    const next = await openNextDoor(front)
    const { id, expires_at } = await front.sell()
    const sale = await next.sell()
    await next.pay(sale.id, [units(10)])
    front.network.denied.isDown = true
    await front.pay(id, [units(10)])
    expect(await front.checkout(id)).toMatchObject({ status: 'open' })
    front.network.wait(Date.parse(expires_at) - front.network.now() + 1_000)
    await ledgers(front, 3)
    expect(await front.checkout(id)).toMatchObject({ status: 'open' })
    expect(await next.checkout(sale.id)).toMatchObject({ status: 'completed' })
    front.network.denied.isDown = false
    await ledgers(front, 3, 10 * 60_000)
    expect(await front.checkout(id)).toMatchObject({ status: 'completed', late: false })
    expect(await front.payments(id)).toHaveLength(1)
    await front.close()
  })
})
