import { readFileSync } from 'node:fs'
import { dayMs, InvoiceSession, type RecordedEvent, stroops } from '@quittance/domain'
import { type Club, clubIn } from '../../testing/club.ts'
import { exceptionsIn } from '../../testing/exceptions.ts'
import { done, present } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { command } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'
import { checkLog } from '../log-check.ts'
import { linksCheck } from './check-links.ts'
import { linkProblems } from './link.ts'

type Log = ReadonlyArray<RecordedEvent>

const passDays = async ({ pass }: Club, days: number): Promise<void> => {
  await pass(days * dayMs)
  for (let ledgers = 0; ledgers < 6; ledgers++) await pass()
}

const stories = {
  refund: async (front: StoreFront) => {
    const refunds = refundsIn(front)
    await refunds.ended(await done(refunds.request(await refunds.paid())))
  },
  payout: async (front: StoreFront) => {
    const payouts = payoutsIn(front)
    await payouts.earn()
    await payouts.ended(await done(payouts.request(await payouts.destination())))
  },
  return: async (front: StoreFront) => {
    const exceptions = exceptionsIn(front)
    const { id } = await front.sell()
    await exceptions.settled(await exceptions.of(await front.pay(id, [units(12)])))
  },
  renewal: async (front: StoreFront) => {
    const club = clubIn(front)
    await club.enrol(await club.join(await club.club(), 'ada@shop.example'), front.payer)
    await passDays(club, 31)
  },
  /** A period that an invoice and a retried charge have both paid. */
  invoice: async (front: StoreFront) => {
    const club = clubIn(front)
    const [reader, asset] = [await club.wallets.wallet(3), club.network.usdc.assetId]
    const checkout = await club.join(await club.club(), 'bea@shop.example')
    await club.enrol(checkout, reader)
    const id = present((await club.checkout(checkout)).subscription_id)
    reader.pay({
      to: club.other.account,
      asset,
      parts: [stroops(await payoutsIn(front).holds(reader.account))],
      memo: null,
    })
    await club.pass()
    for (const days of [31, 1, 2, 2, 2, 3, 4, 4]) await passDays(club, days)
    const invoice = present((await done(club.billing.subscriptions.retrieve(club.scope, id))).invoice_url)
    club.other.pay({ to: reader.account, asset, parts: [units(100)], memo: null })
    await done(club.billing.subscriptions.retry(command(club.platform, club.merchantId), id))
    await club.step()
    await club.pay(invoice.replace(/^.*\/pay\//, ''), [units(10)])
    await passDays(club, 0)
  },
} as const
type Story = keyof typeof stories

let logs: ReadonlyMap<string, Log>
beforeAll(async () => {
  const written = new Map<string, Log>()
  for (const [name, write] of Object.entries(stories)) {
    const front = await openStoreFront()
    await write(front)
    written.set(name, await Array.fromAsync(front.platform.log.readAll(0n)))
    await front.close()
  }
  logs = written
})

/** What is found in these events, by the kinds of their streams. */
const found = async (events: Log): Promise<ReadonlyArray<string>> => {
  const readAll = async function* () {
    yield* events
  }
  return (await checkLog({ readAll }, [linksCheck()])).map(
    ({ stream, problem }) => `${stream?.slice(0, stream.indexOf('-'))}: ${problem}`,
  )
}

type Alter = (log: Log) => Log

const without =
  (...types: ReadonlyArray<string>): Alter =>
  (log) =>
    log.filter(({ type }) => !types.includes(type))

const withoutStreams =
  (category: string): Alter =>
  (log) =>
    log.filter(({ stream }) => !stream.startsWith(`${category}-`))

const other =
  (type: string, changed: RecordedEvent['data']): Alter =>
  (log) =>
    log.map((event) => (event.type === type ? { ...event, data: { ...event.data, ...changed } } : event))

const otherReceiver: Alter = (log) => {
  const { account = null } = present(log.find(({ type }) => type === 'SettlementAccountSet')).data
  return other('ReturnStarted', { destination: account })(log)
}

const soldOnce: Alter = (log) =>
  log.map((event) => {
    const { subscription: _, ...data } = event.data
    return event.type === 'CheckoutCreated' ? { ...event, data } : event
  })

const otherAmount = (type: string): Alter => other(type, { amount: '1' })

const sale = 'payment: PaymentOpened: no session has this payment for this price'
const credit = 'payment: PaymentCredited: neither its session nor its mandate has brought this money from this payer'
const settlement = 'payment: PaymentConfirmed: its session is not settled by this payment and amount'
const confirmation = 'checkout: CheckoutCompleted: its payment is not confirmed for this amount by this transaction'
const claim = 'refund: RefundRequested: nothing was claimed for this money and receiver'
const order = 'intent: IntentRecorded: nothing asks for this money to go to this receiver'
const sending = 'refund: RefundSucceeded: no movement of its money is settled by this transaction'
const payoutClaim = 'payout: PayoutRequested: nothing was claimed for this money and receiver'
const payoutSending = 'payout: PayoutSucceeded: no movement of its money is settled by this transaction'
const returnSending = 'exception: ExceptionReturned: no movement of its money is settled by this transaction'
const plan = 'subscription: SubscriptionStarted: its checkout has sold no such subscription'
const charge = 'payment: PaymentOpened: no subscription has attempted this charge'
const unpaid = 'its payment is not confirmed for this amount by this transaction'
const renewal = `subscription: ChargeConfirmed: ${unpaid}`
const invoice = `subscription: InvoiceSettled: ${unpaid}`
const aside = `subscription: PaymentSetAside: ${unpaid}`
const refund = 'payment: PaymentRefunded: no refund of this payment has succeeded'

describe('whether streams agree with each other', () => {
  it('is explained in the documentation, each link in the words of its finding', () => {
    const guide = readFileSync(new URL('../../../../../docs/verifying.md', import.meta.url), 'utf8')
    expect(Object.values(linkProblems).filter((problem) => !guide.includes(`: ${problem}\``))).toEqual([])
  })

  it.each(Object.keys(stories))('finds nothing in an unaltered log (%s)', async (name) => {
    expect(await found(present(logs.get(name)))).toEqual([])
  })

  it.each<[string, Story, Alter, ReadonlyArray<string>]>([
    ['a payment without its session', 'refund', without('CheckoutCreated'), [sale]],
    ['money that no session has accepted', 'refund', without('CreditAccepted', 'TransactionSubmitted'), [sale, credit]],
    ['a confirmed payment that settles no session', 'refund', without('CheckoutSettled'), [settlement]],
    ['a completed checkout of no confirmed payment', 'refund', without('PaymentConfirmed'), [confirmation, claim]],
    ['a refund without its payment', 'refund', without('RefundClaimed'), [claim]],
    ['a refund of another amount than was claimed', 'refund', otherAmount('RefundRequested'), [claim, order]],
    ['money that goes out and nobody has asked for', 'refund', without('RefundRequested'), [order, refund]],
    ['a refund that no transaction has paid', 'refund', without('IntentSettled'), [sending]],
    ['a refunded payment whose refund has not succeeded', 'refund', without('RefundSucceeded'), [refund]],
    ['a payout that has claimed no money', 'payout', without('PayoutClaimed'), [payoutClaim]],
    ['a payout of another amount than was claimed', 'payout', otherAmount('PayoutRequested'), [payoutClaim, order]],
    ['money that is paid out for no payout', 'payout', without('PayoutRequested'), [order]],
    ['a payout that no transaction has paid', 'payout', without('IntentSettled'), [payoutSending]],
    ['money that goes back though nobody returns it', 'return', without('ReturnStarted'), [order]],
    ['a return of another amount than its exception has', 'return', otherAmount('ExceptionOpened'), [order]],
    ['a return to somebody else than was decided', 'return', otherReceiver, [order]],
    ['a return that no transaction has paid', 'return', without('IntentSettled'), [returnSending]],
    ['a subscription that was sold in no checkout', 'renewal', without('CheckoutCreated'), [sale, plan]],
    ['a subscription whose checkout sold something once', 'renewal', soldOnce, [plan]],
    ['a charge that no subscription has attempted', 'renewal', without('ChargeAttempted'), [charge, order]],
    ['a charge of another amount than was attempted', 'renewal', otherAmount('ChargeAttempted'), [charge, order]],
    ['a charge for another period than was attempted', 'renewal', other('ChargeAttempted', { n: 7 }), [charge]],
    ['a charge that no mandate has brought', 'renewal', without('IntentRecorded'), [credit]],
    ['a renewal of another amount than was paid', 'renewal', otherAmount('ChargeConfirmed'), [renewal]],
    ['a payment without its invoice', 'invoice', withoutStreams(InvoiceSession.category), [sale, credit, settlement]],
    ['an invoice of another amount than was paid', 'invoice', otherAmount('InvoiceSettled'), [invoice]],
    ['money set aside that was not paid', 'invoice', otherAmount('PaymentSetAside'), [aside]],
  ])('names %s', async (_, story, alter, problems) => {
    expect([...(await found(alter(present(logs.get(story)))))].sort()).toEqual([...problems].sort())
  })
})
