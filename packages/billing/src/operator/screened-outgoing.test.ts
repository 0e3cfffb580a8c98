import { count, hourMs } from '@quittance/domain'
import { acceptLog } from '../testing/accept-log.ts'
import { openClub } from '../testing/club.ts'
import { exceptionsIn } from '../testing/exceptions.ts'
import { done, present, refused } from '../testing/outcomes.ts'
import { payoutsIn } from '../testing/payouts.ts'
import { refundsIn } from '../testing/refunds.ts'
import { backUp, restore } from '../testing/restored.ts'
import type { StoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'
import { decide, heldIn, ledgers, list, openScreened } from './testing/screened-shop.ts'

describe('outgoing money to a listed address', () => {
  let front: StoreFront
  beforeEach(async () => {
    front = await openScreened()
  })
  afterEach(() => front.close())

  it('is held in the queue, and others overtake it; the operator lets it through', async () => {
    const [refunds, payouts] = [refundsIn(front), payoutsIn(front)]
    const payment = await refunds.paid()
    await payouts.earn(3)
    const destination = await payouts.destination(front.other)
    list(front, front.payer.account)
    const refund = await done(refunds.request(payment))
    const payout = await done(payouts.request(destination))
    expect(await payouts.ended(payout)).toMatchObject({ status: 'succeeded' })
    await ledgers(front, 3)
    expect(await refunds.refundNow(refund)).toMatchObject({ status: 'pending', failure_reason: null })
    const held = [{ subject: refund.id, kind: 'outgoing', address: front.payer.account, isKept: false }]
    expect(await heldIn(front)).toMatchObject(held)
    await done(decide(front, refund.id, 'keep'))
    list(front)
    await ledgers(front, 3)
    expect(await refunds.refundNow(refund)).toMatchObject({ status: 'pending' })
    list(front, front.payer.account)
    await done(decide(front, refund.id, 'accept'))
    expect(await refunds.ended(refund)).toMatchObject({ status: 'succeeded' })
    expect(await heldIn(front)).toEqual([])
  })

  it('is never sent if the operator refuses it: the refund fails, and the payout is canceled', async () => {
    const [refunds, payouts] = [refundsIn(front), payoutsIn(front)]
    const payment = await refunds.paid()
    await payouts.earn(3)
    const destination = await payouts.destination(front.other)
    list(front, front.payer.account, front.other.account)
    const refund = await done(refunds.request(payment))
    const payout = await done(payouts.request(destination))
    await ledgers(front, 2)
    for (const { subject } of await heldIn(front)) await done(decide(front, subject, 'return'))
    expect(await refunds.ended(refund)).toMatchObject({ status: 'failed', failure_reason: 'not_sent' })
    await ledgers(front, 2)
    expect(await payouts.payoutNow(payout)).toMatchObject({ status: 'canceled' })
    expect(await heldIn(front)).toEqual([])
    expect(await refused(decide(front, refund.id, 'accept'))).toEqual({ _tag: 'NotHeld' })
  })

  it('waits while nobody can be asked, and is sent once afterwards', async () => {
    const refunds = refundsIn(front)
    const payment = await refunds.paid()
    const before = await exceptionsIn(front).held(front.payer.account)
    front.network.denied.isDown = true
    const refund = await done(refunds.request(payment))
    await ledgers(front, 4, 12 * hourMs)
    expect(await refunds.refundNow(refund)).toMatchObject({ status: 'pending' })
    expect(await heldIn(front)).toEqual([])
    expect(front.worker.troubles()).toEqual([{ _tag: 'ScreeningUnavailable', cause: 'a test' }])
    front.network.denied.isDown = false
    expect(await refunds.ended(refund)).toMatchObject({ status: 'succeeded' })
    await ledgers(front, 3)
    expect(front.worker.troubles()).toEqual([])
    expect((await exceptionsIn(front).held(front.payer.account)) - before).toBe(units(10))
  })

  it('goes nowhere by a return of what a person decides: the destination is screened too', async () => {
    const { of, resolve, known } = exceptionsIn(front)
    const exception = await of(await front.pay(`exc_${'0'.repeat(22)}`, [units(3)]))
    await front.step()
    expect(await known(exception)).toMatchObject({ kind: 'unmatched', decision_needed: 'is_return' })
    list(front, front.payer.account)
    await done(resolve(exception, { action: 'refund', destination: null, note: null }))
    await ledgers(front, 4)
    expect(await known(exception)).toMatchObject({ status: 'open', return_status: 'pending' })
    const [held] = await heldIn(front)
    await done(decide(front, present(held).subject, 'return'))
    await ledgers(front, 3)
    expect(await known(exception)).toMatchObject({ decision_needed: 'not_sent', return_status: 'failed' })
  })

  it('stays held in a restored log, even if the decision to hold it is lost', async () => {
    const refunds = refundsIn(front)
    const payment = await refunds.paid()
    list(front, front.payer.account)
    const refund = await done(refunds.request(payment))
    const backup = backUp(front)
    await ledgers(front, 2)
    expect(await heldIn(front)).toHaveLength(1)
    const before = await exceptionsIn(front).held(front.payer.account)
    const restored = await restore(front, backup, 'kept')
    await ledgers(restored, 1)
    await acceptLog(restored)
    await ledgers(restored, 40)
    expect(await heldIn(restored)).toMatchObject([{ subject: refund.id }])
    expect(await exceptionsIn(restored).held(front.payer.account)).toBe(before)
    front = restored
  })
})

describe('charges of a listed wallet', () => {
  it('are not made while it is listed, or nobody can be asked, and lock nobody out; the operator lets them through', async () => {
    const club = await openClub()
    const { billing, scope, network } = club
    network.denied.isOn = true
    const reader = await club.wallets.wallet(41)
    const id = await club.join(await club.club({ trialDays: count(0) }), 'r@club.example')
    await club.enrol(id, reader)
    const subscriptionId = present((await club.checkout(id)).subscription_id)
    const shown = () => done(billing.subscriptions.retrieve(scope, subscriptionId))
    const { current_period_end, customer_id, product_id } = await shown()
    const hasAccess = async () => (await done(billing.access(scope, customer_id, product_id))).has_access
    network.denied.isDown = true
    await club.pass(32 * 24 * hourMs)
    for (let ledger = 0; ledger < 3; ledger++) await club.pass()
    expect(await shown()).toMatchObject({ status: 'active', current_period_end, failed_payment_count: 0 })
    expect([await hasAccess(), await heldIn(club)]).toEqual([true, []])
    network.denied.isDown = false
    list(club, reader.account)
    for (let ledger = 0; ledger < 3; ledger++) await club.pass()
    expect(await shown()).toMatchObject({ status: 'active', current_period_end, failed_payment_count: 0 })
    expect(await heldIn(club)).toMatchObject([{ subject: subscriptionId, kind: 'charge', address: reader.account }])
    expect(await refused(decide(club, subscriptionId, 'return'))).toEqual({ _tag: 'NothingToReturn' })
    await done(decide(club, subscriptionId, 'accept'))
    for (let ledger = 0; ledger < 6; ledger++) await club.pass()
    expect(await shown()).toMatchObject({ status: 'active', current_period_start: current_period_end })
    await club.close()
  })

  it('do not begin: a mandate of a listed wallet does not count, and its money is held', async () => {
    const club = await openClub()
    club.network.denied.isOn = true
    const reader = await club.wallets.wallet(42)
    const id = await club.join(await club.club({ trialDays: count(0) }), 's@club.example')
    const { transaction_xdr } = await club.offered(id, reader)
    await done(club.billing.payer.submit(id, reader.sign(transaction_xdr)))
    list(club, reader.account)
    await club.pass()
    expect(await club.checkout(id)).toMatchObject({ status: 'open', subscription_id: null })
    expect((await club.exceptions()).map(({ kind, checkoutId }) => [kind, checkoutId])).toEqual([['screened', id]])
    const [held] = await heldIn(club)
    expect(await done(decide(club, present(held).subject, 'return'))).toMatchObject({ isNew: true })
    for (let ledger = 0; ledger < 4; ledger++) await club.pass()
    expect(await exceptionsIn(club).known({ id: present(held).subject })).toMatchObject({ return_status: 'succeeded' })
    const trial = await club.join(await club.club({ trialDays: count(14) }), 't@club.example')
    list(club)
    const offered = await club.offered(trial, await club.wallets.wallet(43))
    await done(club.billing.payer.submit(trial, (await club.wallets.wallet(43)).sign(offered.transaction_xdr)))
    list(club, (await club.wallets.wallet(43)).account)
    await club.pass()
    expect(await club.checkout(trial)).toMatchObject({ status: 'open', subscription_id: null })
    await club.close()
  })
})
