import { setImmediate } from 'node:timers/promises'
import { acceptLog } from '../../testing/accept-log.ts'
import { exceptionsIn } from '../../testing/exceptions.ts'
import { refusing } from '../../testing/failing-stores.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { backUp } from '../../testing/restored.ts'
import { units } from '../../testing/wallets.ts'
import { createWorker } from '../../worker/worker.ts'
import { recoveryStage } from './testing/recovery-stage.ts'

const stage = recoveryStage()
const { front, pass, goBackTo, restoreTo, replace, backUpBeforeAttaching, held, reconciled } = stage
const usdc = () => front().network.usdc.assetId

describe('a log that was set back to a copy', () => {
  it('pays back neither the money without a memo nor the refund that the ledger holds', async () => {
    const payment = await refundsIn(front()).paid(100)
    const backup = backUp(front())
    const hash = await front().pay(null, [units(300)])
    await pass()
    await refundsIn(front()).ended(await done(refundsIn(front()).request(payment)))
    const before = await held()

    await goBackTo(backup)
    expect(await exceptionsIn(front()).of(hash)).toMatchObject({ status: 'resolved', return_status: 'succeeded' })
    expect(await refused(refundsIn(front()).request(payment))).toMatchObject({ _tag: 'RefundExists' })
    await pass()
    expect((await held()) - before).toBe(0n)
    expect(await refundsIn(front()).paymentNow(payment)).toMatchObject({ refunded: true })
    expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
  })

  it('settles a refund by the transaction that carried it, not by the one that the log knows', async () => {
    const payment = await refundsIn(front()).paid()
    const refund = await done(refundsIn(front()).request(payment))
    front().network.faults.losesSubmissions = true
    await pass(1)
    const backup = backUp(front())
    front().network.wait(130_000)
    front().network.faults.losesSubmissions = false
    await refundsIn(front()).ended(refund)
    const before = await held()

    await goBackTo(backup)
    front().network.wait(130_000)
    await pass()
    expect(await refundsIn(front()).refundNow(refund)).toMatchObject({ status: 'succeeded' })
    expect((await held()) - before).toBe(0n)
    expect((await (await front().platform.shown()).ledgerTransactions.all()).map(({ row }) => row.status)).toEqual([
      'closed',
      'closed',
    ])
    expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
  })

  it('sends no refund again whose transaction is on the ledger, although it cannot settle the refund yet', async () => {
    const payment = await refundsIn(front()).paid()
    const refund = await done(refundsIn(front()).request(payment))
    const backup = await backUpBeforeAttaching()
    await refundsIn(front()).ended(refund)
    const before = await held()

    await restoreTo(backup, refusing('IntentSettled', 2))
    await pass(8)
    expect(await refundsIn(front()).refundNow(refund)).toMatchObject({ status: 'succeeded' })
    expect((await held()) - before).toBe(0n)
    expect((await (await front().platform.shown()).ledgerTransactions.all()).map(({ row }) => row.status)).toEqual([
      'closed',
    ])
    expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
  })

  it('settles a refund by the transaction that was prepared for it, not by a later one with a payment like it', async () => {
    const payment = await refundsIn(front()).paid()
    const refund = await done(refundsIn(front()).request(payment))
    const backup = await backUpBeforeAttaching()
    await refundsIn(front()).ended(refund)
    for (const stray of [front().other, front().payer])
      stray.pay({ to: front().account, asset: usdc(), parts: [units(10)], memo: null })
    await pass()
    const before = [await held(), await held(front().other.account)]

    await goBackTo(backup)
    expect(await refundsIn(front()).refundNow(refund)).toMatchObject({ status: 'succeeded' })
    expect((await exceptionsIn(front()).all()).map(({ return_status }) => return_status)).toEqual([
      'succeeded',
      'succeeded',
    ])
    expect([await held(), await held(front().other.account)]).toEqual(before)
    expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
  })

  it('names each refund of a shared transaction by its payee and amount', async () => {
    const other = await refundsIn(front()).paid(10, usdc(), front().other)
    const payments = [await refundsIn(front()).paid(), other]
    const backup = backUp(front())
    const refunds = []
    for (const payment of payments) refunds.push(await done(refundsIn(front()).request(payment)))
    for (const refund of refunds) expect(await refundsIn(front()).ended(refund)).toMatchObject({ status: 'succeeded' })
    const before = [await held(), await held(front().other.account)]

    await goBackTo(backup)
    for (const payment of payments)
      expect(await refundsIn(front()).paymentNow(payment)).toMatchObject({ refunded: true })
    expect([await held(), await held(front().other.account)]).toEqual(before)
    expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
  })

  it('names each return of a shared transaction by its payee, whichever list of exceptions arrives first', async () => {
    const backup = backUp(front())
    for (const stray of [front().other, front().payer])
      stray.pay({ to: front().account, asset: usdc(), parts: [units(10)], memo: null })
    await pass()
    const before = [await held(), await held(front().other.account)]

    await restoreTo(backup)
    const { readModels } = front().services
    const { exceptions } = readModels
    let asked = 0
    const page: typeof exceptions.page = async (request) => {
      const isFirst = asked++ % 2 === 0
      const found = await exceptions.page(request)
      for (let turn = 0; isFirst && turn < 1_000; turn++) await setImmediate()
      return found
    }
    const services = { ...front().services, readModels: { ...readModels, exceptions: { ...exceptions, page } } }
    const worker = present(createWorker(services, 'testnet', () => undefined))
    replace({ ...front(), step: () => done(worker.step) })
    await pass(1)
    await acceptLog(front())
    await pass()
    expect(
      (await exceptionsIn(front()).all()).map(({ return_address, from_address }) => return_address === from_address),
    ).toEqual([true, true])
    expect([await held(), await held(front().other.account)]).toEqual(before)
    expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
  })

  it('leaves a payout that it has lost to a person, who sees where it went', async () => {
    await payoutsIn(front()).earn(3)
    const destination = await payoutsIn(front()).destination(front().other)
    const backup = backUp(front())
    const payout = await done(payoutsIn(front()).request(destination))
    const { transaction_hash } = await payoutsIn(front()).ended(payout)

    await goBackTo(backup)
    const [found] = await front().exceptions()
    expect(found).toMatchObject({
      kind: 'unexplained',
      transactionHash: transaction_hash,
      change: { direction: 'loss' },
      paidTo: [{ operationIndex: 0, destination: front().other.account, amount: units(10) }],
    })
    expect(await payoutsIn(front()).balance()).toMatchObject({ ledger: '20', available: '20' })
    expect(await refused(payoutsIn(front()).request(destination))).toMatchObject({ _tag: 'PerhapsPaid' })
    expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [{}], missing: [] })
  })
})
