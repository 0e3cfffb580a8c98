import { readFileSync } from 'node:fs'
import type { RecordedEvent } from '@quittance/domain'
import { done } from '../../testing/outcomes.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { openStoreFront } from '../../testing/store-front.ts'
import { checkLog } from '../log-check.ts'
import { linksCheck } from './check-links.ts'
import { linkProblems } from './link.ts'

/** A log with a sale that was refunded. */
let log: ReadonlyArray<RecordedEvent>
beforeAll(async () => {
  const front = await openStoreFront()
  const refunds = refundsIn(front)
  await refunds.ended(await done(refunds.request(await refunds.paid())))
  log = await Array.fromAsync(front.platform.log.readAll(0n))
  await front.close()
})

/** What is found in these events, by the kinds of their streams. */
const found = async (events: ReadonlyArray<RecordedEvent>): Promise<ReadonlyArray<string>> => {
  const readAll = async function* () {
    yield* events
  }
  return (await checkLog({ readAll }, [linksCheck()])).map(
    ({ stream, problem }) => `${stream?.slice(0, stream.indexOf('-'))}: ${problem}`,
  )
}

const without = (...types: ReadonlyArray<string>) => log.filter(({ type }) => !types.includes(type))

const otherAmount = (type: string) =>
  log.map((event) => (event.type === type ? { ...event, data: { ...event.data, amount: '1' } } : event))

const sale = 'payment: PaymentOpened: no session has this payment for this price'
const credit = 'payment: PaymentCredited: neither its session nor its mandate has brought this money from this payer'
const settlement = 'payment: PaymentConfirmed: its session is not settled by this payment and amount'
const confirmation = 'checkout: CheckoutCompleted: its payment is not confirmed for this amount by this transaction'
const claim = 'refund: RefundRequested: nothing was claimed for this money and receiver'
const order = 'intent: IntentRecorded: nothing asks for this money to go to this receiver'
const sending = 'refund: RefundSucceeded: no movement of its money is settled by this transaction'
const refund = 'payment: PaymentRefunded: no refund of this payment has succeeded'

describe('whether streams agree with each other', () => {
  it('is explained in the documentation, each link in the words of its finding', () => {
    const guide = readFileSync(new URL('../../../../../docs/verifying.md', import.meta.url), 'utf8')
    expect(Object.values(linkProblems).filter((problem) => !guide.includes(`: ${problem}\``))).toEqual([])
  })

  it('finds nothing in a sale that was refunded', async () => expect(await found(log)).toEqual([]))

  it.each([
    ['a payment without its session', () => without('CheckoutCreated'), [sale]],
    ['money that no session has accepted', () => without('CreditAccepted', 'TransactionSubmitted'), [sale, credit]],
    ['a confirmed payment that settles no session', () => without('CheckoutSettled'), [settlement]],
    ['a completed checkout without a confirmed payment', () => without('PaymentConfirmed'), [confirmation, claim]],
    ['a refund without its payment', () => without('RefundClaimed'), [claim]],
    ['a refund of another amount than was claimed and sent', () => otherAmount('RefundRequested'), [claim, order]],
    ['money that goes out and nobody has asked for', () => without('RefundRequested'), [order, refund]],
    ['a refund that no transaction has paid', () => without('IntentSettled'), [sending]],
    ['a refunded payment whose refund has not succeeded', () => without('RefundSucceeded'), [refund]],
  ])('names %s', async (_, events, problems) => {
    expect([...(await found(events()))].sort()).toEqual([...problems].sort())
  })
})
