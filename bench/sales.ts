import {
  type Aggregate,
  Checkout,
  type CheckoutCommand,
  CheckoutId,
  CurrencyCode,
  type CustomerId,
  cents,
  minuteMs,
  type NewEvent,
  noMetadata,
  Payment,
  type PaymentCommand,
  PaymentId,
  type ProductId,
  positiveCount,
  stroops,
  type TransactionHash,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import { decoded, exampleCredit, hashOf, merchantAccount, start, usdc } from '@quittance/domain/testing'
import { sampleContext } from './sample-events.ts'

/**
 * The events that an aggregate records, from a state on, for the commands that follow from each state, up to null. As stored. Throws if
 * a command is rejected.
 */
export const recordedWhile = <Command, Event, State, Rejection>(
  { decider, events }: Aggregate<Command, Event, State, Rejection>,
  before: State,
  next: (state: State) => Command | null,
  n: number,
  kind: number,
): ReadonlyArray<NewEvent> => {
  let state = before
  const written: NewEvent[] = []
  for (let command = next(state); command !== null; command = next(state)) {
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

/** Those for a list of commands. */
export const recorded = <Command, Event, State, Rejection>(
  aggregate: Aggregate<Command, Event, State, Rejection>,
  commands: ReadonlyArray<Command>,
  n: number,
  kind: number,
): ReadonlyArray<NewEvent> => {
  const left = commands.values()
  return recordedWhile(aggregate, aggregate.decider.initial, () => left.next().value ?? null, n, kind)
}

const price = { currency: decoded(CurrencyCode, 'USD'), cents: cents(1_000n) }
const none = stroops(0n)

/** Recorded when its commands say that they are made, as `verify` requires. */
const atStart = (events: ReadonlyArray<NewEvent>): ReadonlyArray<NewEvent> =>
  events.map((event) => ({ ...event, context: { ...event.context, occurredAt: start } }))

/** What tells one sale from another: its names, who bought what, and when. */
type Sold = {
  readonly checkoutId: CheckoutId
  readonly paymentId: PaymentId
  readonly transactionHash: TransactionHash
  readonly buyer: { readonly customerId: CustomerId; readonly productId: ProductId } | null
  readonly at: UnixMs
}

/** The commands of a sale of 10 USD in USDC, paid exactly, from session to confirmed payment. */
export const commandsOf = ({ checkoutId, paymentId, transactionHash, buyer, at }: Sold) => {
  const { customerId, productId } = buyer ?? { customerId: null, productId: null }
  const shared = { customerId, productId, metadata: noMetadata, assetId: usdc }
  const maxTime = unixMs(at + 5 * minuteMs)
  const credit = { ...exampleCredit, transactionHash, closedAt: unixMs(at + minuteMs) }
  const quote = { amount: credit.amount, pegged: true, excessFloor: stroops(1_000_000n), rates: [] }
  const checkout: ReadonlyArray<CheckoutCommand> = [
    {
      ...shared,
      type: 'CreateCheckout',
      at,
      kind: buyer === null ? 'direct' : 'product',
      priceVersion: buyer === null ? null : positiveCount(1),
      price: { _tag: 'fiat', ...price },
      destination: merchantAccount,
      redirectUrl: null,
      description: null,
      underpaymentTolerance: none,
    },
    { type: 'IssueQuote', at, quote },
    { type: 'SubmitTransaction', at, transactionHash, maxTime, paymentId },
    { type: 'AcceptCredit', credit, paymentId, requote: null },
    { type: 'CompleteCheckout', paymentId },
  ]
  const payment: ReadonlyArray<PaymentCommand> = [
    {
      ...shared,
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

/** Those of the n-th sale of many, to a guest. */
export const commandsOfSale = (n: number) => {
  const id = n.toString(36).padStart(22, '0')
  const [checkoutId, paymentId] = [decoded(CheckoutId, `chk_${id}`), decoded(PaymentId, `pay_${id}`)]
  return commandsOf({ checkoutId, paymentId, transactionHash: hashOf(n), buyer: null, at: start })
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
