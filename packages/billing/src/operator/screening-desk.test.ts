import { asText, count, type HoldAction, hourMs, stroops } from '@quittance/domain'
import { acceptLog } from '../testing/accept-log.ts'
import { clubIn, openClub } from '../testing/club.ts'
import { exceptionsIn } from '../testing/exceptions.ts'
import { done, present, refused } from '../testing/outcomes.ts'
import { payoutsIn } from '../testing/payouts.ts'
import { refundsIn } from '../testing/refunds.ts'
import { backUp, restore } from '../testing/restored.ts'
import { command, someone } from '../testing/shop.ts'
import { openNextDoor, openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'

const frozen = { _tag: 'SalesFrozen' }
const why = { by: asText('Ada'), reason: asText('checked by hand') }

/** A shop with a screening that lists nobody yet. */
const openScreened = async (): Promise<StoreFront> => {
  const front = await openStoreFront()
  front.network.denied.isOn = true
  return front
}
const list = ({ network: { denied } }: Pick<StoreFront, 'network'>, ...addresses: ReadonlyArray<string>): void => {
  denied.addresses.clear()
  for (const address of addresses) denied.addresses.add(address)
}
const decide = ({ billing }: Pick<StoreFront, 'billing'>, subject: string, action: HoldAction) =>
  billing.screening.decide({ subject, action, ...why })
const heldIn = ({ billing }: Pick<StoreFront, 'billing'>) => done(billing.screening.held)
const ledgers = async (front: Pick<StoreFront, 'network' | 'step'>, many: number, ms = 5_000): Promise<void> => {
  for (let n = 0; n < many; n++) {
    front.network.wait(ms)
    await front.step()
  }
}

describe('a sale to a listed address', () => {
  let front: StoreFront
  beforeAll(async () => {
    front = await openScreened()
  })
  afterAll(() => front.close())
  afterEach(() => {
    list(front)
    front.network.denied.isDown = false
  })

  it.each(['is listed', 'cannot be asked about'])(
    'is refused as while sales are frozen, if the wallet %s',
    async (how) => {
      const { billing, payer, other } = front
      const { id } = await front.sell()
      const { transaction_xdr } = await done(billing.payer.transaction(id, payer.account))
      if (how === 'is listed') list(front, payer.account)
      else front.network.denied.isDown = true
      expect(await refused(billing.payer.assets(id, payer.account))).toEqual(frozen)
      expect(await refused(billing.payer.transaction(id, payer.account))).toEqual(frozen)
      expect(await refused(billing.payer.submit(id, payer.sign(transaction_xdr)))).toEqual(frozen)
      if (how === 'is listed') await done(billing.payer.transaction(id, other.account))
      else expect(await refused(billing.payer.transaction(id, other.account))).toEqual(frozen)
      expect(await heldIn(front)).toEqual([])
    },
  )

  it('has no quote for a customer who has proven a listed wallet, and the page says that payments are paused', async () => {
    const { billing, platform, merchantId, payer } = front
    const now = () => command(platform, merchantId)
    const [customer] = await done(billing.customers.createAll(now(), [someone('ada@shop.example')]))
    const { id: customerId } = present(customer)
    const { transaction } = await done(billing.wallets.start(now(), customerId, payer.account))
    await done(billing.wallets.verify(now(), customerId, payer.sign(transaction)))
    const { id } = await front.sell(undefined, { id: customerId, email: null, phone: null })
    await done(billing.payer.quote(id))
    list(front, payer.account)
    expect(await refused(billing.payer.quote(id))).toEqual(frozen)
    expect(await done(billing.payer.page(id))).toMatchObject({ quote: null, isPaused: true, status: 'open' })
  })
})

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

describe('a sale before a kill', () => {
  it('that was placed as clear stays so, and money that was held stays held, whatever the list says afterwards', async () => {
    const front = await openScreened()
    const shop = clubIn(front)
    const { id } = await front.sell()
    const other = await front.sell()
    await front.pay(id, [units(10)])
    list(front, front.payer.account)
    await front.pay(other.id, [units(10)])
    const cursor = front.services.cursors
    const at = present(await done(cursor.of('testnet').load()))
    await cursor.move('testnet', { ...at, sequence: at.sequence - 5, hash: null } as never)
    list(front, ...(await front.exceptions()).map(() => front.payer.account))
    await shop.pass()
    expect((await front.payments(id)).map(({ status }) => status)).toEqual(['confirmed'])
    await cursor.move('testnet', { ...at, sequence: at.sequence - 5, hash: null } as never)
    list(front)
    await shop.pass()
    expect(await front.exceptionsOf(other.id)).toEqual([{ kind: 'screened', amount: units(10) }])
    expect(await front.checkout(other.id)).toMatchObject({ status: 'open' })
    expect(await front.exceptionsOf(id)).toEqual([])
    await front.close()
  })
})
