import { acceptLog } from '../../testing/accept-log.ts'
import { exceptionsIn } from '../../testing/exceptions.ts'
import { beforeAppending } from '../../testing/failing-stores.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { backUp } from '../../testing/restored.ts'
import { units } from '../../testing/wallets.ts'
import { recoveryStage } from './testing/recovery-stage.ts'

const stage = recoveryStage()
const { front, pass, goBackTo, restoreTo, held, reconciled } = stage
const usdc = () => front().network.usdc.assetId

describe('what a log has lost and nobody can know', () => {
  it('leaves a payout to a person that is canceled right before its payment is recovered', async () => {
    await payoutsIn(front()).earn(3)
    const payout = await done(payoutsIn(front()).request(await payoutsIn(front()).destination(front().other)))
    const backup = backUp(front())
    await pass()
    const before = await held(front().other.account)

    const cancel = async () => void (await done(front().billing.payouts.cancel(payoutsIn(front()).now(), payout.id)))
    await goBackTo(backup, beforeAppending('IntentSettled', cancel))
    expect(await payoutsIn(front()).list()).toMatchObject([{ status: 'canceled' }])
    expect(await front().exceptions()).toMatchObject([
      { kind: 'unexplained', paidTo: [{ destination: front().other.account, amount: units(10) }] },
    ])
    expect((await held(front().other.account)) - before).toBe(0n)
    expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [{}], missing: [] })
  })

  it('leaves the payment of a checkout that it has lost to a person, and settles the refund of another', async () => {
    await refundsIn(front()).paid()
    const backup = backUp(front())
    const kept = await refundsIn(front()).paid(10, usdc(), front().other)
    const refunded = await refundsIn(front()).paid()
    await refundsIn(front()).ended(await done(refundsIn(front()).request(refunded)))
    const before = [await held(), await held(front().other.account)]

    await goBackTo(backup)
    const hashOf = ({ transaction_hash }: typeof kept) => String(transaction_hash)
    expect(await exceptionsIn(front()).of(hashOf(kept))).toMatchObject({
      kind: 'unmatched',
      status: 'open',
      memo: expect.stringMatching(/^q_/),
      decision_needed: 'log_rolled_back',
    })
    expect(await exceptionsIn(front()).of(hashOf(refunded))).toMatchObject({
      status: 'resolved',
      return_status: 'succeeded',
    })
    expect([await held(), await held(front().other.account)]).toEqual(before)
    expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
  })

  it('refuses refunds like two whose payments it cannot tell apart, until a person resolves their exception', async () => {
    const payments = []
    for (let count = 0; count < 3; count++) payments.push(await refundsIn(front()).paid())
    const backup = backUp(front())
    const refunds = []
    for (const payment of payments.slice(0, 2)) refunds.push(await done(refundsIn(front()).request(payment)))
    for (const refund of refunds) await refundsIn(front()).ended(refund)
    const before = await held()

    await goBackTo(backup)
    const [exception, ...more] = await exceptionsIn(front()).all()
    const paid = { address: front().payer.account, muxed_id: null, amount: '10 USDC' }
    expect([exception, more]).toMatchObject([{ kind: 'unexplained', amount: '20 USDC', paid_to: [paid, paid] }, []])
    const third = present(payments[2])
    expect(await refused(refundsIn(front()).request(third))).toEqual({
      _tag: 'PerhapsPaid',
      exceptionId: present(exception).id,
    })
    await done(exceptionsIn(front()).resolve(present(exception), { action: 'accept', note: null }))
    await refundsIn(front()).ended(await done(refundsIn(front()).request(third)))
    expect((await held()) - before).toBe(units(10))
    expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [{}], missing: [] })
  })

  it('sends nothing while the ledger shows a number as used that no ingested ledger explains, until a person accepts', async () => {
    await refundsIn(front()).ended(await done(refundsIn(front()).request(await refundsIn(front()).paid())))
    const payment = await refundsIn(front()).paid()
    const backup = backUp(front())
    await refundsIn(front()).ended(await done(refundsIn(front()).request(await refundsIn(front()).paid())))
    await pass(1)
    const newest = present(await done(front().services.cursors.of('testnet').load()))

    await restoreTo(backup)
    await front().services.cursors.move('testnet', newest)
    await pass(1)
    const before = await held()
    await done(refundsIn(front()).request(payment))
    await pass()
    expect(front().billing.log.standing()).toMatchObject({
      _tag: 'RolledBack',
      reasons: [{ _tag: 'TransactionForgotten', transactionHash: null, accountSequence: expect.anything() }],
    })
    expect((await held()) - before).toBe(0n)
    await acceptLog(front())
    await pass()
    expect((await held()) - before).toBe(units(10))
    expect(front().billing.log.standing()).toEqual({ _tag: 'Sound' })
  })
})
