import {
  type Aggregate,
  Checkout,
  type CheckoutCommand,
  CheckoutId,
  CurrencyCode,
  cents,
  minuteMs,
  type NewEvent,
  noMetadata,
  Payment,
  type PaymentCommand,
  PaymentId,
  stroops,
  unixMs,
} from '@quittance/domain'
import { decoded, exampleCredit, hashOf, merchantAccount, start, usdc } from '@quittance/domain/testing'
import { sampleContext } from './sample-events.ts'

/** The events that an aggregate records for these commands, as stored. Throws if a command is rejected. */
export const recorded = <Command, Event, State, Rejection>(
  { decider, events }: Aggregate<Command, Event, State, Rejection>,
  commands: ReadonlyArray<Command>,
  n: number,
  kind: number,
): ReadonlyArray<NewEvent> => {
  let state = decider.initial
  const written: NewEvent[] = []
  for (const command of commands) {
    const decision = decider.decide(command)(state)
    if (decision._tag === 'Left') throw new Error(JSON.stringify(decision.left))
    for (const event of decision.right) {
      state = decider.evolve(state, event)
      const ordinal = (kind * 16 + written.length).toString(16).padStart(4, '0')
      const id = `0198a6b2-${ordinal}-5000-8000-${n.toString(16).padStart(12, '0')}`
      written.push({ id, ...events.encodeEvent(event), context: sampleContext(n) })
    }
  }
  return written
}

const price = { currency: decoded(CurrencyCode, 'USD'), cents: cents(1_000n) }
const guest = { customerId: null, productId: null, metadata: noMetadata, assetId: usdc }
const maxTime = unixMs(start + 5 * minuteMs)
const none = stroops(0n)

/** Recorded when its commands say that they are made, as `verify` requires. */
const atStart = (events: ReadonlyArray<NewEvent>): ReadonlyArray<NewEvent> =>
  events.map((event) => ({ ...event, context: { ...event.context, occurredAt: start } }))

/** The commands of a sale of 10 USD in USDC, paid exactly, from session to confirmed payment. */
export const commandsOfSale = (n: number) => {
  const id = n.toString(36).padStart(22, '0')
  const [checkoutId, paymentId] = [decoded(CheckoutId, `chk_${id}`), decoded(PaymentId, `pay_${id}`)]
  const transactionHash = hashOf(n)
  const credit = { ...exampleCredit, transactionHash }
  const quote = { amount: credit.amount, pegged: true, excessFloor: stroops(1_000_000n), rates: [] }
  const checkout: ReadonlyArray<CheckoutCommand> = [
    {
      ...guest,
      type: 'CreateCheckout',
      at: start,
      kind: 'direct',
      priceVersion: null,
      price: { _tag: 'fiat', ...price },
      destination: merchantAccount,
      redirectUrl: null,
      description: null,
      underpaymentTolerance: none,
    },
    { type: 'IssueQuote', at: start, quote },
    { type: 'SubmitTransaction', at: start, transactionHash, maxTime, paymentId },
    { type: 'AcceptCredit', credit, paymentId, requote: null },
    { type: 'CompleteCheckout', paymentId },
  ]
  const payment: ReadonlyArray<PaymentCommand> = [
    {
      ...guest,
      type: 'OpenPayment',
      checkoutId,
      subscriptionId: null,
      currencyCode: price.currency,
      amountCents: price.cents,
      cause: 'submission',
    },
    { type: 'RecordSubmission', transactionHash, maxTime },
    { type: 'RecordCredit', credit },
    {
      type: 'ConfirmPayment',
      excess: none,
      overpaid: none,
      late: false,
      transactionHash,
      walletId: null,
      billingDetails: null,
    },
  ]
  return { checkoutId, paymentId, checkout, payment }
}

/** The events of such a sale: ten in two streams. */
export const saleOf = (
  n: number,
): ReadonlyArray<{ readonly stream: string; readonly events: ReadonlyArray<NewEvent> }> => {
  const { checkoutId, paymentId, checkout, payment } = commandsOfSale(n)
  return [
    { stream: `checkout-${checkoutId}`, events: atStart(recorded(Checkout, checkout, n, 1)) },
    { stream: `payment-${paymentId}`, events: atStart(recorded(Payment, payment, n, 2)) },
  ]
}
