import { IntentId, stroops } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import * as E from 'fp-ts/lib/Either.js'
import type { Cursors } from '../../stores/cursor.ts'
import { exceptionsIn } from '../../testing/exceptions.ts'
import { done, refused } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { openPlatform } from '../../testing/platform.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { command } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'
import { coveredPayouts, isPayoutCovered } from './covered.ts'

let front: StoreFront
let payouts: ReturnType<typeof payoutsIn>
beforeEach(async () => {
  front = await openStoreFront()
  payouts = payoutsIn(front)
})
afterEach(() => front.close())

const dayMs = 24 * 3_600_000

describe('a payout', () => {
  it("pays earnings to the merchant's address once, and names the payout in the books", async () => {
    await payouts.earn(3)
    const destination = await payouts.destination()
    const before = await payouts.holds(front.payer.account)
    const context = payouts.now()
    const payout = await done(payouts.request(destination, { metadata: { month: '11' } }, context))
    expect(payout).toMatchObject({
      id: expect.stringMatching(/^po_/),
      object: 'payout',
      status: 'pending',
      asset_id: front.network.usdc.assetId,
      amount: '10 USDC',
      amount_stroops: '100000000',
      destination: front.payer.account,
      destination_id: destination,
      memo: null,
      memo_type: null,
      automatic: false,
      transaction_hash: null,
      failure_reason: null,
      metadata: { month: '11' },
    })
    expect(await payouts.balance()).toEqual({ ledger: '30', available: '20', held: '0', in_flight: '10' })
    expect(await payouts.ended(payout)).toMatchObject({
      status: 'succeeded',
      transaction_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect((await payouts.holds(front.payer.account)) - before).toBe(units(10))
    expect(await payouts.balance()).toEqual({ ledger: '20', available: '20', held: '0', in_flight: '0' })
    expect(front.worker.named()).toMatchObject({ payout: 1, unexplained: 0 })
    expect(await done(payouts.request(destination, { metadata: { month: '11' } }, context))).toEqual(payout)
    await front.step()
    expect((await payouts.holds(front.payer.account)) - before).toBe(units(10))
  })

  it('pays out all available money, and rejects one stroop more', async () => {
    await payouts.earn(1)
    const destination = await payouts.destination()
    expect(await refused(payouts.request(destination, { amount: stroops(units(10) + 1n) }))).toEqual({
      _tag: 'BalanceTooLow',
      available: units(10),
    })
    const payout = await done(payouts.request(destination, { amount: 'all' }))
    expect(payout.amount).toBe('10 USDC')
    expect(await refused(payouts.request(destination, { amount: 'all' }))).toEqual({
      _tag: 'BalanceTooLow',
      available: 0n,
    })
    expect(await payouts.ended(payout)).toMatchObject({ status: 'succeeded' })
  })

  it('a payout of XLM leaves the account reserve and the fees for refunds', async () => {
    const { assetId } = front.network.xlm
    const destination = await payouts.destination()
    const { available } = await payouts.balance(assetId)
    const payout = await done(payouts.request(destination, { assetId, amount: 'all' }))
    expect(payout.amount).toBe(`${available} XLM`)
    expect(await payouts.ended(payout)).toMatchObject({ status: 'succeeded' })
    const view = await done(front.network.gateway.accountView(front.account, []))
    expect(view?.nativeSpendable).toBe(5_000_000n)
    expect(await payouts.balance(assetId)).toMatchObject({ available: '0' })
  })

  it('a payout leaves the money for pending refunds', async () => {
    await payouts.earn(2)
    const refunds = refundsIn(front)
    const payment = await refunds.paid(10)
    const destination = await payouts.destination()
    await done(refunds.request(payment))
    expect(await payouts.balance()).toEqual({ ledger: '30', available: '20', held: '10', in_flight: '0' })
    expect(await refused(payouts.request(destination, { amount: stroops(units(20) + 1n) }))).toMatchObject({
      _tag: 'BalanceTooLow',
      available: units(20),
    })
    expect(await done(payouts.request(destination, { amount: units(20) }))).toMatchObject({ status: 'pending' })
  })

  it('a payout leaves the money of an exception until a person accepts it', async () => {
    await payouts.earn(2)
    const exceptions = exceptionsIn(front)
    const exchange = await front.wallets.wallet(71)
    exchange.requireMemo()
    const destination = await payouts.destination()
    const waiting = await exceptions.of(await front.pay(null, [units(3)], { from: exchange }))
    expect(waiting.decision_needed).toBe('destination_requires_memo')
    expect(await payouts.balance()).toEqual({ ledger: '23', available: '20', held: '3', in_flight: '0' })
    expect(await refused(payouts.request(destination, { amount: stroops(units(20) + 1n) }))).toEqual({
      _tag: 'BalanceTooLow',
      available: units(20),
    })
    await done(exceptions.resolve(waiting, { action: 'accept', note: null }))
    expect(await payouts.balance()).toEqual({ ledger: '23', available: '23', held: '0', in_flight: '0' })
    const payout = await done(payouts.request(destination, { amount: 'all' }))
    expect(payout.amount).toBe('23 USDC')
    expect(await payouts.ended(payout)).toMatchObject({ status: 'succeeded' })
  })

  it('a payout leaves money that is being returned, and nothing is held after the return settles', async () => {
    await payouts.earn(2)
    const exceptions = exceptionsIn(front)
    const hash = await front.pay('hello', [units(3)])
    expect(await payouts.balance()).toMatchObject({ available: '20', held: '3' })
    for (let ledgers = 0; ledgers < 3; ledgers++) {
      front.network.wait(1000)
      await front.step()
    }
    expect(await exceptions.of(hash)).toMatchObject({ status: 'resolved' })
    expect(await payouts.balance()).toEqual({ ledger: '20', available: '20', held: '0', in_flight: '0' })
  })

  it('the balance holds nothing back for an unexplained withdrawal, which cannot be returned', async () => {
    await payouts.earn(2)
    front.wallets.payFrom(await front.seedOf(front.merchantId), {
      to: front.other.account,
      asset: front.network.usdc.assetId,
      parts: [units(4)],
      memo: null,
    })
    await front.step()
    expect((await exceptionsIn(front).all()).map(({ kind, status }) => [kind, status])).toContainEqual([
      'unexplained',
      'open',
    ])
    expect(await payouts.balance()).toEqual({ ledger: '16', available: '16', held: '0', in_flight: '0' })
  })

  it('concurrent payouts on two servers take no more than is available', async () => {
    await payouts.earn(3)
    const destination = await payouts.destination()
    const second = await openPlatform(front.network, front.folder.path)
    const asking = [front.platform, second].flatMap((platform) =>
      [1, 2, 3, 4].map(() =>
        platform.billing.payouts.request(command(platform, front.merchantId), payouts.wanted(destination))(),
      ),
    )
    const outcomes = await Promise.all(asking)
    await second.close()
    const made = outcomes.flatMap((each) => (E.isRight(each) ? [each.right] : []))
    const others = outcomes.flatMap((each) => (E.isLeft(each) ? [each.left._tag] : []))
    expect(made).toHaveLength(3)
    expect(others.every((tag) => tag === 'BalanceTooLow' || tag === 'TooManyConflicts')).toBe(true)
    for (const each of made) expect(await payouts.ended(each)).toMatchObject({ status: 'succeeded' })
    expect(await payouts.balance()).toMatchObject({ ledger: '0', in_flight: '0' })
  })

  it('a payout waits when a refund claims its money, and is paid once there is more', async () => {
    await payouts.earn(1)
    const refunds = refundsIn(front)
    const payment = await refunds.paid(10)
    const destination = await payouts.destination()
    const payout = await done(payouts.request(destination, { amount: units(20) }))
    const refund = await done(refunds.request(payment))
    expect(await refunds.ended(refund)).toMatchObject({ status: 'succeeded' })
    expect(await payouts.payoutNow(payout)).toMatchObject({ status: 'pending' })
    await payouts.earn(1)
    expect(await payouts.ended(payout)).toMatchObject({ status: 'succeeded' })
  })

  it('a payout takes nothing of what came in ledgers that were not ingested yet, and is not given up for it', async () => {
    await payouts.earn(1)
    const refunds = refundsIn(front)
    const payment = await refunds.paid(10)
    const destination = await payouts.destination()
    const ids = [await done(payouts.request(destination)), await done(payouts.request(destination))].map(({ id }) => id)
    await done(refunds.request(payment))
    const { intents } = await front.platform.shown()
    const waiting = (await Promise.all(ids.map((id) => intents.withKey(id)))).flat()
    const [first, second] = waiting
    const covered = () => done(async () => coveredPayouts(front.services, 'testnet', waiting))
    expect(await covered()).toEqual({ covered: [first], short: [second] })
    const { usdc } = front.network
    front.payer.pay({ to: front.account, asset: usdc.assetId, parts: [units(30)], memo: 'hello' })
    front.network.wait(5_000)
    expect(await covered()).toEqual({ covered: [first], short: [] })
    expect(await isPayoutCovered(front.services, decoded(IntentId, first?.id))).toBe(true)
  })

  it('a payout is not released with what came in ledgers that were not ingested yet, or that another process ingests meanwhile', async () => {
    await payouts.earn(1)
    const refunds = refundsIn(front)
    const payment = await refunds.paid(10)
    const payout = await done(payouts.request(await payouts.destination(), { amount: units(20) }))
    await done(refunds.request(payment))
    const [intent] = await (await front.platform.shown()).intents.withKey(payout.id)
    const id = decoded(IntentId, intent?.id)
    const { usdc } = front.network
    front.payer.pay({ to: front.account, asset: usdc.assetId, parts: [units(30)], memo: 'hello' })
    front.network.wait(5_000)
    expect(await isPayoutCovered(front.services, id)).toBe(false)
    const { cursors } = front.services
    let looks = 0
    const ingestedMeanwhile: Cursors = {
      ...cursors,
      of: (environment) => ({
        ...cursors.of(environment),
        load: () => async () => {
          // Once this process has read what is held.
          if (++looks === 2) await front.step()
          return cursors.of(environment).load()()
        },
      }),
    }
    expect(await isPayoutCovered({ ...front.services, cursors: ingestedMeanwhile }, id)).toBe(false)
  })

  it('a payout whose money has been missing for a day fails and reports it', async () => {
    const refunds = refundsIn(front)
    const payment = await refunds.paid(10)
    const payout = await done(payouts.request(await payouts.destination()))
    expect(await refunds.ended(await done(refunds.request(payment)))).toMatchObject({ status: 'succeeded' })
    front.network.wait(dayMs - 60_000)
    await front.step()
    expect(await payouts.payoutNow(payout)).toMatchObject({ status: 'pending' })
    front.network.wait(120_000)
    expect(await payouts.ended(payout)).toMatchObject({
      status: 'failed',
      failure_reason: 'insufficient_funds',
      transaction_hash: null,
    })
    expect(await payouts.balance()).toEqual({ ledger: '0', available: '0', held: '0', in_flight: '0' })
  })

  it('a payout fails when its destination can no longer receive it, and its money is available again', async () => {
    await payouts.earn(1)
    const usdc = front.network.usdc.assetId
    const wallet = await front.wallets.bareWallet(61)
    wallet.trust(usdc)
    const payout = await done(payouts.request(await payouts.destination(wallet)))
    wallet.limit(usdc, units(0))
    expect(await payouts.ended(payout)).toMatchObject({
      status: 'failed',
      failure_reason: 'destination_no_trustline',
      failure_code: 'paymentNoTrust',
    })
    expect(await payouts.balance()).toMatchObject({ available: '10', in_flight: '0' })
  })
})

describe('canceling a payout', () => {
  it('cancels an unsent payout, and its money is available again', async () => {
    await payouts.earn(1)
    const payout = await done(payouts.request(await payouts.destination()))
    const context = payouts.now()
    const canceled = await done(front.billing.payouts.cancel(context, payout.id))
    expect(canceled).toMatchObject({ id: payout.id, status: 'canceled', transaction_hash: null })
    expect(await done(front.billing.payouts.cancel(context, payout.id))).toEqual(canceled)
    expect(await payouts.balance()).toMatchObject({ available: '10', in_flight: '0' })
    front.network.wait(1000)
    await front.step()
    expect(await payouts.payoutNow(payout)).toMatchObject({ status: 'canceled' })
    expect(await payouts.balance()).toMatchObject({ ledger: '10' })
  })

  it('rejects canceling a payout that is released or has ended', async () => {
    await payouts.earn(1)
    const payout = await done(payouts.request(await payouts.destination()))
    await front.step()
    expect(await refused(front.billing.payouts.cancel(payouts.now(), payout.id))).toEqual({
      _tag: 'PayoutNotCancelable',
      status: 'pending',
    })
    await payouts.ended(payout)
    expect(await refused(front.billing.payouts.cancel(payouts.now(), payout.id))).toEqual({
      _tag: 'PayoutNotCancelable',
      status: 'succeeded',
    })
  })

  it('rejects canceling a missing payout or one of another merchant', async () => {
    await payouts.earn(1)
    const payout = await done(payouts.request(await payouts.destination()))
    const notFound = { _tag: 'PayoutNotFound' }
    expect(await refused(front.billing.payouts.cancel(payouts.now(), 'po_nobody'))).toEqual(notFound)
    const other = command(front.platform, 'mer_another')
    expect(await refused(front.billing.payouts.cancel(other, payout.id))).toEqual(notFound)
  })
})
