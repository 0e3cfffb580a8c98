import { ApiKeyId, asText, type Cents, cents, type LimitScope, Limits, type Stroops } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { stateOf } from '../../kernel/load.ts'
import { exceptionsIn } from '../../testing/exceptions.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { openPlatform, type TestPlatform } from '../../testing/platform.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { command } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

let front: StoreFront
let refunds: ReturnType<typeof refundsIn>
let payouts: ReturnType<typeof payoutsIn>
let destination: string
let [leaked, clerk]: ReadonlyArray<string> = []
beforeEach(async () => {
  front = await openStoreFront()
  refunds = refundsIn(front)
  payouts = payoutsIn(front)
  await payouts.earn(5)
  destination = await payouts.destination(front.other)
  leaked = await newKey()
  clerk = await newKey('approvals:write')
})
afterEach(() => front.close())

const newKey = async (...scopes: ReadonlyArray<string>) =>
  (await done(front.billing.merchants.createKey(payouts.now(), scopes))).keyId
const by = (actor = '', on: TestPlatform = front.platform) => command(on, front.merchantId, { actor })
const dollars = (amount: number): Cents => cents(BigInt(amount) * 100n)
const limit = (amount: number | null, scope: LimitScope = 'merchant', setter: 'operator' | 'merchant' = 'merchant') =>
  done(front.billing.limits.set(by(leaked), { setter, scope, amount: amount === null ? null : dollars(amount) }))
const take = (amount: Stroops | 'all' = units(10), actor = leaked, on = front.platform) =>
  done(on.billing.payouts.request(by(actor, on), payouts.wanted(destination, { amount })))
const approve = (id: string | null, actor = clerk) => front.billing.approvals.approve(by(actor), present(id), null)
const reject = (id: string | null, actor = clerk) =>
  front.billing.approvals.reject(by(actor), present(id), asText('no'))
const gone = async () => (await payouts.holds(front.other.account)) - before
let before = 0n
beforeEach(async () => {
  before = await payouts.holds(front.other.account)
})
const settle = async () => {
  for (let ledgers = 0; ledgers < 6; ledgers++) {
    front.network.wait(6_000)
    await front.step()
  }
}
const statuses = async () =>
  (await front.billing.approvals.list({ ...front.scope, limit: 100 })()).resources.map(({ status }) => status)
const publicTypes = async (resourceId: string) =>
  (
    await (
      await front.platform.shown()
    ).publicEvents.page({ ...front.scope, after: null, type: null, resourceId, limit: 50 })
  ).publicEvents.map(({ type }) => type)

describe('a thief with one leaked key', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['takes all at once', () => take('all')],
    [
      'splits the amount',
      async () => {
        for (let n = 0; n < 9; n++) await take(units(5))
      },
    ],
    ['asks for many at once', () => Promise.all(Array.from({ length: 9 }, () => take(units(5))))],
    [
      'asks two servers at once',
      async () => {
        const other = await openPlatform(front.network, front.folder.path)
        const requests = Array.from({ length: 8 }, (_, n) => take(units(5), leaked, n % 2 ? other : front.platform))
        await Promise.all(requests)
        await other.close()
      },
    ],
    [
      'uses two assets',
      async () => {
        await take(units(20))
        await done(payouts.request(destination, { assetId: front.network.xlm.assetId, amount: units(40) }, by(leaked)))
        const xlm = await payouts.holds(front.other.account, front.network.xlm.assetId)
        await settle()
        expect(await payouts.holds(front.other.account, front.network.xlm.assetId)).toBe(xlm)
      },
    ],
    [
      'waits for midnight',
      async () => {
        front.network.wait(23 * hourMs + 50 * 60_000)
        await front.step()
        await take(units(20))
        front.network.wait(20 * 60_000)
        await front.step()
        await take(units(20))
      },
    ],
    [
      'raises the limit first',
      async () => {
        await limit(1_000)
        await limit(null)
        await take(units(30))
      },
    ],
    [
      'makes room by cancelling what somebody else has requested',
      async () => {
        const { id } = await take(units(20), clerk)
        await done(front.billing.payouts.cancel(by(leaked), id))
        for (let n = 0; n < 4; n++) await take(units(10))
      },
    ],
    [
      'approves with the same key',
      async () => {
        const { approval_id } = await take(units(30))
        expect(await refused(approve(approval_id, leaked))).toEqual({ _tag: 'ApprovalByRequester' })
      },
    ],
    [
      'approves with the key that takes its place',
      async () => {
        const { approval_id } = await take(units(30))
        const key = decoded(ApiKeyId, leaked)
        const successor = await done(front.billing.merchants.rotateKey(payouts.now(), key, dayMs))
        expect(await refused(approve(approval_id, successor.keyId))).toEqual({ _tag: 'ApprovalByRequester' })
      },
    ],
    [
      'sets a schedule',
      async () => {
        const wanted = { assetId: front.network.usdc.assetId, interval: { type: 'daily' as const }, reserve: units(0) }
        await done(front.billing.payouts.schedules.set(by(leaked), { ...wanted, destination }))
        front.network.wait(dayMs)
        await front.step()
      },
    ],
  ])('takes at most the limit of a day, who %s', async (_, act) => {
    await limit(25)
    await act()
    await settle()
    expect(Number(await gone()) / 1e7).toBeLessThanOrEqual(25)
  })

  it('gets nothing within a day from money that strayed, although the own address is registered and proven', async () => {
    const exceptions = exceptionsIn(front)
    const exchange = await front.wallets.wallet(83)
    exchange.requireMemo()
    const stray = await exceptions.of(await front.pay(null, [units(300)], { from: exchange }))
    await limit(25)
    const resolution = { action: 'refund' as const, destination: front.other.account, note: null }
    const started = await done(exceptions.resolve(stray, resolution, by(leaked)))
    expect(started).toMatchObject({ status: 'open', return_sends_at: expect.stringMatching(/^2026-11-02/) })
    await settle()
    expect(await gone()).toBe(0n)
  })

  it('waits a day from now for what a request of yesterday asks for: a raise, and a refund to the own address', async () => {
    await limit(25)
    const payment = await refunds.paid()
    const yesterday = by(leaked)
    front.network.wait(25 * hourMs)
    await front.step()
    const wanted = { setter: 'merchant' as const, scope: 'merchant' as const, amount: null }
    const { limits } = await done(front.billing.limits.set(yesterday, wanted))
    expect(limits).toMatchObject([{ amount: '25', next_from: expect.stringMatching(/^2026-11-03T01/) }])
    const { account } = await front.wallets.wallet(85)
    const refund = await done(refunds.request(payment, { destination: account }, { ...by(leaked), at: yesterday.at }))
    expect(refund.sends_at).toMatch(/^2026-11-03T01/)
  })

  it('refunds at most the limit', async () => {
    await limit(25)
    for (let n = 0; n < 4; n++) {
      const payment = await refunds.paid(10, undefined, front.other)
      before = await payouts.holds(front.other.account)
      await done(refunds.request(payment, {}, by(leaked)))
    }
    await settle()
    expect(await statuses()).toEqual(['waiting', 'waiting'])
    expect(front.worker.named()).toMatchObject({ refund: 2, unexplained: 0 })
  })

  it('has what the rotated key has left, and no limit of its own', async () => {
    await limit(15, 'each_key')
    await take(units(10))
    const successor = await done(front.billing.merchants.rotateKey(payouts.now(), decoded(ApiKeyId, leaked), dayMs))
    expect((await take(units(10), successor.keyId)).approval_id).toMatch(/^apr_/)
    expect((await take(units(10), clerk)).approval_id).toBeNull()
  })
})

describe('what waits for an approval', () => {
  it('goes once another key has approved it, and answers the same before and after', async () => {
    await limit(25)
    const context = by(leaked)
    const request = () => done(payouts.request(destination, { amount: units(30) }, context))
    const asked = await request()
    const id = present(asked.approval_id)
    await settle()
    expect({ gone: await gone(), now: (await payouts.payoutNow(asked)).approval_id }).toEqual({ gone: 0n, now: id })
    expect(await done(front.billing.approvals.retrieve(front.scope, id))).toMatchObject({
      object: 'approval',
      status: 'waiting',
      of: 'payout',
      subject_id: asked.id,
      requested_by: leaked,
      amount: '30 USDC',
      value_usd: '30',
      cause: 'merchant_limit',
      destination: front.other.account,
    })
    const decision = by(clerk)
    const approved = await done(front.billing.approvals.approve(decision, id, asText('seen')))
    expect(approved).toMatchObject({ status: 'approved', decided_by: clerk, note: 'seen' })
    expect(await done(front.billing.approvals.approve(decision, id, asText('seen')))).toEqual(approved)
    expect(await payouts.ended(asked)).toMatchObject({ status: 'succeeded', approval_id: null })
    expect(await request()).toEqual(asked)
    expect(await gone()).toBe(units(30))
    expect(await publicTypes(id)).toEqual(['approval.requested', 'approval.approved'])
    expect((await take(units(10))).approval_id).toBeNull()
  })

  it('fails once it is rejected, by anybody, and its money is available again', async () => {
    await limit(5)
    const payment = await refunds.paid()
    const [payout, refund] = [await take(units(10)), await done(refunds.request(payment, {}, by(leaked)))]
    expect(await done(reject(payout.approval_id))).toMatchObject({ status: 'rejected', note: 'no' })
    expect(await done(reject(refund.approval_id, leaked))).toMatchObject({ status: 'rejected' })
    expect(await refused(approve(payout.approval_id))).toEqual({ _tag: 'ApprovalHasEnded', status: 'rejected' })
    const failed = { status: 'failed', failure_reason: 'not_approved', approval_id: null }
    expect(await payouts.payoutNow(payout)).toMatchObject(failed)
    expect(await refunds.refundNow(refund)).toMatchObject(failed)
    expect(await payouts.balance()).toMatchObject({ available: '60', held: '0', in_flight: '0' })
    expect((await done(refunds.request(payment, {}, by(clerk)))).approval_id).toMatch(/^apr_/)
  })

  it('fails after seven days in which nobody has approved it', async () => {
    await limit(5)
    const payment = await refunds.paid()
    const [payout, refund] = [await take(units(10)), await done(refunds.request(payment, {}, by(leaked)))]
    front.network.wait(7 * dayMs - 60_000)
    await front.step()
    expect(await statuses()).toEqual(['waiting', 'waiting'])
    front.network.wait(60_000)
    await front.step()
    await front.step()
    expect(await statuses()).toEqual(['expired', 'expired'])
    expect(await payouts.payoutNow(payout)).toMatchObject({ status: 'failed', failure_reason: 'not_approved' })
    expect(await refunds.refundNow(refund)).toMatchObject({ status: 'failed', failure_reason: 'not_approved' })
    expect(await refused(approve(payout.approval_id))).toEqual({ _tag: 'ApprovalHasEnded', status: 'expired' })
  })

  it('is canceled as long as it waits', async () => {
    await limit(5)
    const [payout, refund] = [await take(), await done(refunds.request(await refunds.paid(), {}, by(leaked)))]
    expect(await done(front.billing.payouts.cancel(by(clerk), payout.id))).toMatchObject({ status: 'canceled' })
    const canceled = { status: 'failed', failure_reason: 'canceled' }
    expect(await done(front.billing.refunds.cancel(by(clerk), refund.id))).toMatchObject(canceled)
    expect(await statuses()).toEqual(['withdrawn', 'withdrawn'])
    await settle()
    expect(await gone()).toBe(0n)
  })

  it('goes although the process died right after the approval', async () => {
    await limit(5)
    const payout = await take(units(10))
    const approval = present(payout.approval_id)
    const { approvals } = await front.platform.shown()
    expect(await approvals.withId(approval)).toMatchObject({ row: { status: 'waiting' } })
    const dying = await openPlatform(front.network, front.folder.path, (store) => ({
      ...store,
      append: (stream, ...rest) =>
        stream.startsWith('intent-') ? () => Promise.reject(new Error('died')) : store.append(stream, ...rest),
    }))
    await expect(dying.billing.approvals.approve(by(clerk, dying), approval, null)()).rejects.toThrow('died')
    await dying.close()
    expect(await payouts.ended(payout)).toMatchObject({ status: 'succeeded' })
    expect(await gone()).toBe(units(10))
  })

  it('needs an approval whatever it is worth, while no rate is known or what went out has no known value', async () => {
    await limit(1_000)
    front.network.rates.isOut = true
    front.network.rates.knowsSince = Number.MAX_SAFE_INTEGER
    const xlm = front.network.xlm.assetId
    const unknown = await done(payouts.request(destination, { assetId: xlm, amount: units(1) }, by(leaked)))
    const approval = await done(front.billing.approvals.retrieve(front.scope, present(unknown.approval_id)))
    expect(approval).toMatchObject({ cause: 'value_unknown', value_usd: null })
  })

  it('is nothing that the operator requests, which is counted', async () => {
    await limit(25)
    expect((await take(units(20), 'operator')).approval_id).toBeNull()
    expect((await take(units(10), 'operator')).approval_id).toBeNull()
    expect((await take(units(1))).approval_id).toMatch(/^apr_/)
  })
})

describe('a limit', () => {
  const shown = async () => (await done(front.billing.limits.retrieve(front.scope))).limits
  it('counts at once when it is lowered, and after 24 hours when it is raised', async () => {
    await limit(100)
    await limit(50)
    expect(await shown()).toMatchObject([{ scope: 'merchant', amount: '50', next_amount: null, next_from: null }])
    await limit(200)
    expect(await shown()).toMatchObject([
      { amount: '50', next_amount: '200', next_from: expect.stringMatching(/^2026-11-02/), changed_by: leaked },
    ])
    front.network.wait(dayMs - 1)
    expect(await shown()).toMatchObject([{ amount: '50' }])
    front.network.wait(1)
    expect(await shown()).toMatchObject([{ amount: '200', next_amount: null }])
    expect(await publicTypes(front.merchantId)).toEqual(['limits.changed', 'limits.changed', 'limits.changed'])
  })

  it('stays as it was when a raise is taken back', async () => {
    await limit(50)
    await limit(null)
    await limit(50)
    front.network.wait(2 * dayMs)
    expect(await shown()).toMatchObject([{ amount: '50', next_amount: null }])
  })

  it('of the operator stands beside that of the merchant: the lower counts', async () => {
    await limit(20, 'merchant', 'operator')
    await limit(500)
    expect((await take(units(21))).approval_id).toMatch(/^apr_/)
    expect((await take(units(20))).approval_id).toBeNull()
  })

  it('of one key bounds that key alone', async () => {
    await limit(20, decoded(ApiKeyId, leaked))
    expect((await take(units(21))).approval_id).toMatch(/^apr_/)
    expect((await take(units(21), clerk)).approval_id).toBeNull()
    const unknown = front.billing.limits.set(by(leaked), {
      setter: 'merchant',
      scope: decoded(ApiKeyId, 'key_0000000000000000000000'),
      amount: null,
    })
    expect(await refused(unknown)).toEqual({ _tag: 'LimitedKeyNotFound' })
  })

  it('has room again after 24 hours', async () => {
    await limit(10)
    await take(units(10))
    front.network.wait(dayMs - 1)
    expect((await take(units(1))).approval_id).toMatch(/^apr_/)
    front.network.wait(1)
    expect((await take(units(10))).approval_id).toBeNull()
  })

  it('answers a repeated command as before, and records it once', async () => {
    const context = by(leaked)
    const wanted = { setter: 'merchant' as const, scope: 'merchant' as const, amount: dollars(50) }
    const first = await done(front.billing.limits.set(context, wanted))
    expect(await done(front.billing.limits.set(context, wanted))).toEqual(first)
    expect(await publicTypes(front.merchantId)).toEqual(['limits.changed'])
  })

  it('writes nothing as long as there is none', async () => {
    await take(units(10))
    const { events } = await done(stateOf(front.services.store)(Limits, `${front.merchantId}/testnet`))
    expect(events).toEqual([])
  })
})
