import type { PaymentId, SubscriptionId } from '@quittance/domain'
import {
  AuthorizationId,
  cents,
  hourMs,
  LedgerSequence,
  MandateId,
  ProductId,
  Subscription,
  stroops,
} from '@quittance/domain'
import { decoded, exampleId, hashOf } from '@quittance/domain/testing'
import { acceptLog } from '../../testing/accept-log.ts'
import { done, present } from '../../testing/outcomes.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { openShop } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { type Subscribers, subscribersOf } from '../../testing/subscribers.ts'
import { units } from '../../testing/wallets.ts'
import { startCharge } from './start-charge.ts'
import { withdrawCharge } from './withdraw-charge.ts'

describe('renewals', () => {
  let front: StoreFront
  let people: Subscribers
  let rich: Awaited<ReturnType<StoreFront['wallets']['wallet']>>
  beforeEach(async () => {
    front = await openStoreFront()
    people = await subscribersOf(front)
    rich = await front.wallets.wallet(3)
  })
  afterEach(() => front.close())

  const passes = async (count: number, ms?: number): Promise<void> => {
    for (let ledgers = 0; ledgers < count; ledgers++) await people.pass(ms)
  }
  /** The transactions that the charge of a payment has stood in, the first one first. */
  const transactionsOf = async (id: PaymentId): Promise<ReadonlyArray<string>> => {
    const [intent] = await (await front.platform.shown()).intents.withKey(id)
    return (await people.eventsOf(`intent-${present(intent).id}`)).flatMap(({ type, data }) =>
      type === 'IntentAttached' ? [String(data.transactionHash)] : [],
    )
  }
  /** What is left to a wallet of its 10,000 USDC. */
  const leaves = (wallet: typeof rich, amount: number): void => {
    const [to, asset] = [front.other.account, front.network.usdc.assetId]
    wallet.pay({ to, asset, parts: [units(10_000 - amount)], memo: null })
  }
  const charged = async (id: SubscriptionId, paymentId: PaymentId): Promise<void> => {
    expect(await people.payment(paymentId)).toMatchObject({ status: 'confirmed', confirmation: { amount: units(10) } })
    expect(await people.now(id)).toMatchObject({ status: 'active', covered: { kind: 'paid', n: 1 } })
  }
  const refused = async (id: SubscriptionId, paymentId: PaymentId, code: string, cause: string): Promise<void> => {
    expect(await people.payment(paymentId)).toMatchObject({
      status: 'failed',
      reason: 'charge_refused',
      code,
      incomingPayments: [],
    })
    const failed = (await people.eventsOf(`subscription-${id}`)).find(({ type }) => type === 'ChargeFailed')
    expect(failed?.data).toMatchObject({ paymentId, cause, code })
  }
  const nothingStrange = async (): Promise<void> => {
    expect([front.worker.troubles(), await front.exceptions(), front.platform.alarms]).toEqual([[], [], []])
    expect(await front.services.violations.present('testnet')).toEqual([])
  }

  it.each([
    ['is handed over', startCharge],
    ['is withdrawn', (...place: Parameters<typeof startCharge>) => withdrawCharge(...place, null)],
  ])('a renewal that %s keeps the mandate of its attempt, even after another replaced it', async (_, end) => {
    const id = await people.subscribe(front.payer)
    people.sleepADay()
    await people.attempt(id)
    const before = await people.now(id)
    const attempt = present(before.attempts[0])
    const { mandate } = before.authorization
    const other = { ...mandate, mandateId: decoded(MandateId, hashOf(77)), customer: rich.account }
    const place = { transactionHash: hashOf(1), ledger: decoded(LedgerSequence, 9), closedAt: attempt.at }
    const data = { authorizationId: exampleId(AuthorizationId, 1), mandate: other, ...place }
    const replaced = Subscription.decider.evolve(before, { type: 'MandateReplaced', data })
    if (replaced.status === 'absent') throw new Error('it does not exist')
    await done(() => end(front.services, front.scope, id, replaced, attempt))
    const { action, source } = (await people.intentOf(attempt.paymentId)).details
    const { mandateId, customer, operator, contract: contractId } = mandate
    expect([action, source]).toEqual([expect.objectContaining({ mandateId, customer, contractId }), operator])
  })

  it('a renewal keeps the product of its attempt, even if another is chosen before it is handed over', async () => {
    const id = await people.subscribe(front.payer)
    people.sleepADay()
    await people.attempt(id)
    const { terms, details } = await people.now(id)
    const other = { ...terms, productId: exampleId(ProductId, 9), price: { ...terms.price, cents: cents(900n) } }
    await people.give(id, {
      type: 'SwapProduct',
      terms: other,
      assetId: details.assetId,
      quote: units(9),
      authorizationId: exampleId(AuthorizationId, 9),
      at: front.services.clock.now('testnet'),
    })
    const paymentId = await people.handOver(id)
    expect((await people.payment(paymentId)).details).toMatchObject({
      productId: terms.productId,
      amountCents: terms.price.cents,
      amountDue: units(10),
    })
    expect(await done(front.billing.payments.retrieve(front.scope, paymentId))).toMatchObject({
      status: 'pending',
      amount: '10 USDC',
    })
  })

  it('a renewal that the contract would refuse is never sent, and its payment says why', async () => {
    const dear = await people.subscribe(front.payer, { cap: units(9) })
    const ended = await people.subscribe(rich)
    const { mandateId } = (await people.now(ended)).authorization.mandate
    const place = {
      transactionHash: hashOf(1),
      ledger: decoded(LedgerSequence, 9),
      closedAt: front.services.clock.now('testnet'),
    }
    await people.give(ended, { type: 'RecordMandateEnd', mandateId, by: 'operator', ...place })
    people.sleepADay()
    await passes(2)
    await passes(2, 2 * hourMs)
    const firstOf = async (id: SubscriptionId) => present((await people.now(id)).attempts[0]).paymentId
    await refused(ended, await firstOf(ended), '111', 'mandate_ended')
    const paymentId = await firstOf(dear)
    await refused(dear, paymentId, '107', 'above_cap')
    expect(await transactionsOf(paymentId)).toEqual([])
    const attempted = { amount: '10 USDC', amount_stroops: '100000000' }
    const failed = {
      id: paymentId,
      status: 'failed',
      transaction_hash: null,
      failure_code: 'above_cap',
      ...attempted,
    }
    expect(await done(front.billing.subscriptions.retrieve(front.scope, dear))).toMatchObject({
      status: 'past_due',
      failed_payment_count: 1,
      last_attempt: failed,
    })
    const { resources } = await front.billing.payments.list({ ...front.scope, lookupKey: dear, limit: 10 })()
    expect(resources).toMatchObject([failed])
    await nothingStrange()
  })

  it('the renewals of a merchant share one call, and each is reported to its subscription and named in the books', async () => {
    const again = { allowance: units(6_000) }
    const ids = [await people.subscribe(front.payer), await people.subscribe(rich), await people.subscribe(rich, again)]
    people.sleepADay()
    const payments = []
    for (const id of ids) payments.push(await people.start(id))
    await passes(4)
    for (const [index, id] of ids.entries()) await charged(id, present(payments[index]))
    const hashes = new Set((await Promise.all(payments.map(transactionsOf))).flat())
    expect(hashes.size).toBe(1)
    for (const paymentId of payments)
      expect(await people.intentOf(paymentId)).toMatchObject({
        status: 'reported',
        end: { _tag: 'settled' },
        attempts: 0,
      })
    expect(front.worker.named()).toMatchObject({ payment: 3, unexplained: 0 })
    await nothingStrange()
    expect(await people.isReconciled()).toBe(true)
  })

  it('the renewals of several merchants share one call, and each merchant is paid', async () => {
    const merchantId = await openShop(front.platform)
    const { account } = await done(front.services.settlementOf(merchantId, 'testnet'))
    const theirs = { ...front, merchantId, account, scope: { merchantId, environment: 'testnet' as const } }
    const others = await subscribersOf(theirs, 100)
    const [id, other] = [await people.subscribe(front.payer), await others.subscribe(rich)]
    people.sleepADay()
    const [paymentId, otherPayment] = [await people.start(id), await others.start(other)]
    await passes(4)
    await charged(id, paymentId)
    await charged(other, otherPayment)
    expect(await transactionsOf(paymentId)).toEqual(await transactionsOf(otherPayment))
    const holdings = [front.account, account].map((each) => ({ account: each, assetId: front.network.usdc.assetId }))
    const balances = await done(front.network.gateway.balances(holdings))
    expect(balances.map(({ held }) => held)).toEqual([units(10), units(10)])
    await nothingStrange()
    expect(await people.isReconciled()).toBe(true)
  })

  it('renewals that do not fit into one call use the next channel in the same ledger', async () => {
    const ids: Array<SubscriptionId> = []
    while (ids.length < 20) ids.push(await people.subscribe(rich, { allowance: units(5_000 + 100 * ids.length) }))
    people.sleepADay()
    const payments: Array<PaymentId> = []
    for (const id of ids) payments.push(await people.start(id))
    await passes(4)
    const transactions = await Promise.all(payments.map(transactionsOf))
    expect([...Map.groupBy(transactions.flat(), (hash) => hash).values()].map(({ length }) => length)).toEqual([16, 4])
    const paid = await Promise.all(payments.map(people.payment))
    expect(new Set(paid.map((each) => each.status === 'confirmed' && each.confirmation.ledger)).size).toBe(1)
    for (const [index, id] of ids.entries()) await charged(id, present(payments[index]))
    await nothingStrange()
  })

  it('a call leaves out customers who cannot pay, and their charges fail without a transaction', async () => {
    const [poor, other] = [await people.subscribe(front.payer), await people.subscribe(rich)]
    leaves(front.payer, 9)
    people.sleepADay()
    const [unpaid, paid] = [await people.start(poor), await people.start(other)]
    await passes(4)
    await refused(poor, unpaid, '10', 'balance_too_low')
    expect(await transactionsOf(unpaid)).toEqual([])
    expect(await people.intentOf(unpaid)).toMatchObject({ status: 'reported', end: { _tag: 'given_up', code: '10' } })
    await charged(other, paid)
    await nothingStrange()
  })

  it('renewals go on without a customer who spends the money between simulation and ledger', async () => {
    const [poor, other] = [await people.subscribe(front.payer), await people.subscribe(rich)]
    people.sleepADay()
    const [unpaid, paid] = [await people.start(poor), await people.start(other)]
    await front.step()
    leaves(front.payer, 9)
    // Both were answered; a lone node could have made up the newest ledger, and none after it.
    await front.step()
    expect((await people.intentOf(unpaid)).status).toBe('attached')
    await passes(3)
    await refused(poor, unpaid, '10', 'balance_too_low')
    expect(await people.intentOf(unpaid)).toMatchObject({ end: { operationIndex: 0 } })
    await charged(other, paid)
    await nothingStrange()
  })

  it('a renewal above the allowance asks the customer, not the wallet', async () => {
    const id = await people.subscribe(front.payer, { allowance: units(11) })
    people.sleepADay()
    const first = await people.start(id)
    await passes(3)
    await charged(id, first)
    people.sleepADay()
    const second = await people.start(id)
    await passes(3)
    await refused(id, second, '9', 'allowance_too_low')
  })

  it('renewals wait for a ledger of their period, and are never sent after its end', async () => {
    const id = await people.subscribe(front.payer)
    people.sleepADay()
    const paymentId = await people.start(id)
    const { action } = (await people.intentOf(paymentId)).details
    const end = action._tag === 'charge' ? action.periodEnd : 0
    // Twenty seconds before its end nothing is sent any more.
    await people.pass(end - 20_000 - front.network.now())
    expect(await people.intentOf(paymentId)).toMatchObject({ status: 'waiting' })
    await people.pass(20_000)
    await refused(id, paymentId, '117', 'contract_refused')
    expect(await transactionsOf(paymentId)).toEqual([])
  })

  it('a renewal dies at the end of its period if no ledger takes it before', async () => {
    const id = await people.subscribe(front.payer)
    people.sleepADay()
    const paymentId = await people.start(id)
    const { action } = (await people.intentOf(paymentId)).details
    const end = action._tag === 'charge' ? action.periodEnd : 0
    front.network.wait(end - 60_000 - front.network.now())
    front.network.faults.losesSubmissions = true
    await front.step()
    front.network.faults.losesSubmissions = false
    const [hash] = await transactionsOf(paymentId)
    const prepared = (await people.eventsOf(`stellartx-${hash}`))[0]
    expect(prepared?.data.maxTime).toBe(end - 1_000)
    expect(prepared?.data).toMatchObject({ class: 'charge', resourceFee: expect.stringMatching(/^[1-9][0-9]+$/) })
    await people.pass(61_000)
    await passes(2)
    await refused(id, paymentId, '117', 'contract_refused')
  })

  it('a renewal is refunded like any payment, and its subscription goes on', async () => {
    const id = await people.subscribe(front.payer)
    people.sleepADay()
    const paymentId = await people.start(id)
    await passes(3)
    await charged(id, paymentId)
    const refunds = refundsIn(front)
    const refund = await refunds.ended(await done(refunds.request({ id: paymentId })))
    expect(refund).toMatchObject({ status: 'succeeded', amount: '10 USDC' })
    expect(await people.now(id)).toMatchObject({ status: 'active', covered: { kind: 'paid', n: 1 } })
    await nothingStrange()
    expect(await people.isReconciled()).toBe(true)
  })

  it('finds renewals in the ledger, even if their transaction is forgotten', async () => {
    const id = await people.subscribe(front.payer)
    people.sleepADay()
    const paymentId = await people.start(id)
    await people.chargeBehindOurBack(id, paymentId)
    await acceptLog(front)
    await passes(4)
    await charged(id, paymentId)
    expect(await people.intentOf(paymentId)).toMatchObject({ status: 'reported', end: { _tag: 'settled' } })
    await nothingStrange()
    expect(await people.isReconciled()).toBe(true)
  })

  it("a stranger's mandate cannot pay a renewal, and its money becomes an exception", async () => {
    const id = await people.subscribe(front.payer)
    people.sleepADay()
    const paymentId = await people.start(id)
    await people.chargeAsStranger(front.other, paymentId, stroops(1_000_000n))
    await passes(4)
    await charged(id, paymentId)
    expect(await front.exceptions()).toMatchObject([{ kind: 'unmatched', amount: stroops(1_000_000n) }])
  })
})
