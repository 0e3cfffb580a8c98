import { asText, dayMs, LedgerSequence } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { reconcile } from '../../books/reconciliation/reconcile.ts'
import { clubIn } from '../../testing/club.ts'
import { exceptionsIn } from '../../testing/exceptions.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { type Backup, backUp, restore } from '../../testing/restored.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'

let front: StoreFront
let usdc: StoreFront['network']['usdc']['assetId']
beforeEach(async () => {
  front = await openStoreFront()
  usdc = front.network.usdc.assetId
})
afterEach(() => front.close())

/** Lets ledgers close, and the worker see each. */
const pass = async (ledgers = 4): Promise<void> => {
  for (let count = 0; count < ledgers; count++) {
    await front.step()
    front.network.wait(5_000)
  }
  await front.step()
}
const goBackTo = async (backup: Backup): Promise<void> => {
  front = await restore(front, backup)
  await pass(1)
  expect(front.billing.log.standing()).toMatchObject({
    _tag: 'RolledBack',
    reasons: [{ _tag: 'TransactionForgotten' }],
  })
  await done(front.billing.log.accept({ by: asText('Ada'), reason: asText('the disk died'), isForced: false }))
  await pass()
  expect(front.billing.log.standing()).toEqual({ _tag: 'Sound' })
}
const held = (account = front.payer.account) => exceptionsIn(front).held(account)
const reconciled = () =>
  done(reconcile(front.services, 'testnet', { from: decoded(LedgerSequence, 1), to: null, merchantId: null }))

describe('a log that was set back to a copy', () => {
  it('pays back neither the money without a memo nor the refund that the ledger holds', async () => {
    const payment = await refundsIn(front).paid(100)
    const backup = backUp(front)
    const hash = await front.pay(null, [units(300)])
    await pass()
    await refundsIn(front).ended(await done(refundsIn(front).request(payment)))
    const before = await held()

    await goBackTo(backup)
    expect(await exceptionsIn(front).of(hash)).toMatchObject({ status: 'resolved', return_status: 'succeeded' })
    expect(await refused(refundsIn(front).request(payment))).toMatchObject({ _tag: 'RefundExists' })
    await pass()
    expect((await held()) - before).toBe(0n)
    expect(await refundsIn(front).paymentNow(payment)).toMatchObject({ refunded: true })
    expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
  })

  it('settles a refund by the transaction that carried it, not by the one that the log knows', async () => {
    const payment = await refundsIn(front).paid()
    const refund = await done(refundsIn(front).request(payment))
    front.network.faults.losesSubmissions = true
    await pass(1)
    const backup = backUp(front)
    front.network.wait(130_000)
    front.network.faults.losesSubmissions = false
    await refundsIn(front).ended(refund)
    const before = await held()

    await goBackTo(backup)
    front.network.wait(130_000)
    await pass()
    expect(await refundsIn(front).refundNow(refund)).toMatchObject({ status: 'succeeded' })
    expect((await held()) - before).toBe(0n)
    expect((await front.platform.shown()).ledgerTransactions.all().map(({ row }) => row.status)).toEqual([
      'closed',
      'closed',
    ])
    expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
  })

  it('names each refund of a shared transaction by its payee and amount', async () => {
    const other = await refundsIn(front).paid(10, usdc, front.other)
    const payments = [await refundsIn(front).paid(), other]
    const backup = backUp(front)
    const refunds = []
    for (const payment of payments) refunds.push(await done(refundsIn(front).request(payment)))
    for (const refund of refunds) expect(await refundsIn(front).ended(refund)).toMatchObject({ status: 'succeeded' })
    const before = [await held(), await held(front.other.account)]

    await goBackTo(backup)
    for (const payment of payments) expect(await refundsIn(front).paymentNow(payment)).toMatchObject({ refunded: true })
    expect([await held(), await held(front.other.account)]).toEqual(before)
    expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
  })

  it('leaves a payout that it has lost to a person, who sees where it went', async () => {
    await payoutsIn(front).earn(3)
    const destination = await payoutsIn(front).destination(front.other)
    const backup = backUp(front)
    const payout = await done(payoutsIn(front).request(destination))
    const { transaction_hash } = await payoutsIn(front).ended(payout)

    await goBackTo(backup)
    const [found] = await front.exceptions()
    expect(found).toMatchObject({
      kind: 'unexplained',
      transactionHash: transaction_hash,
      change: { direction: 'loss' },
      paidTo: [{ operationIndex: 0, destination: front.other.account, amount: units(10) }],
    })
    expect(await payoutsIn(front).balance()).toMatchObject({ ledger: '20', available: '20' })
    expect(await refused(payoutsIn(front).request(destination))).toMatchObject({ _tag: 'PerhapsPaid' })
    expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [{}], missing: [] })
  })
})

describe('a renewal that the ledger holds', () => {
  it('is confirmed by a log that has lost the attempt, and the next period is charged once', async () => {
    const club = await clubIn(front)
    const session = await club.join(await club.club(), 'ada@example.com')
    await club.enrol(session, front.payer)
    const [subscription] = (await front.platform.shown()).subscriptions.all()
    const id = present(subscription).id
    const backup = backUp(front)
    front.network.wait(31 * dayMs)
    await pass()
    const charged = await club.subscription(id)
    expect(charged).toMatchObject({ covered: { kind: 'paid', n: 1 } })
    const before = await held()

    await goBackTo(backup)
    const recovered = await clubIn(front).subscription(id)
    expect(recovered).toMatchObject({ status: 'active', covered: { kind: 'paid', n: 1 } })
    expect((await held()) - before).toBe(0n)
    const payments = (await front.platform.shown()).payments.withKey(id)
    expect(payments.map(({ row }) => [row.status, row.details.period])).toEqual([['confirmed', 1]])
    front.network.wait(31 * dayMs)
    await pass()
    expect(await clubIn(front).subscription(id)).toMatchObject({ covered: { n: 2 } })
    expect((await held()) - before).toBe(-100_000_000n)
    expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
  })
})
