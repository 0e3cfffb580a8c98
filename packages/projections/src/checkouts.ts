import {
  Checkout,
  CheckoutDetails,
  CheckoutId,
  CustomerId,
  PaymentId,
  Quote,
  type RecordedEvent,
  SessionFailureReason,
  Stroops,
  SubscriptionId,
  stroops,
  TransactionHash,
  UnixMs,
  unixMs,
} from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

const orNull = <C extends t.Mixed>(codec: C) => t.union([t.null, codec])

/** A checkout session. `status` is the interface's: a covered price whose payment is being confirmed is still `open`. */
export const CheckoutRow = t.strict({
  details: CheckoutDetails,
  customerId: orNull(CustomerId),
  status: t.keyof({ open: null, completed: null, expired: null, failed: null }),
  isSettled: t.boolean,
  failureReason: orNull(SessionFailureReason),
  paymentId: orNull(PaymentId),
  subscriptionId: orNull(SubscriptionId),
  received: Stroops,
  quote: orNull(Quote),
  submitted: orNull(TransactionHash),
  completingHash: orNull(TransactionHash),
  late: t.boolean,
  completedAt: orNull(UnixMs),
  createdAt: UnixMs,
  updatedAt: UnixMs,
})
export type CheckoutRow = t.TypeOf<typeof CheckoutRow>

const decode = decodedBy(Checkout)

const fold = (row: O.Option<CheckoutRow>, recorded: RecordedEvent): O.Option<CheckoutRow> => {
  const at = unixMs(recorded.metadata.occurredAt)
  const event = decode(recorded)
  const patch = (change: Partial<CheckoutRow>) =>
    O.map((known: CheckoutRow) => ({ ...known, ...change, updatedAt: at }))(row)
  switch (event.type) {
    case 'CheckoutCreated':
      return O.some({
        details: event.data,
        customerId: event.data.customerId,
        status: 'open',
        isSettled: false,
        failureReason: null,
        paymentId: null,
        subscriptionId: null,
        received: stroops(0n),
        quote: null,
        submitted: null,
        completingHash: null,
        late: false,
        completedAt: null,
        createdAt: at,
        updatedAt: at,
      })
    case 'QuoteIssued':
      return patch({ quote: event.data })
    case 'CustomerAttached':
      return patch({ customerId: event.data.customerId })
    case 'TransactionSubmitted':
      return patch({ submitted: event.data.transactionHash, paymentId: event.data.paymentId })
    case 'PaymentAttemptFailed':
      return patch({ paymentId: null })
    case 'CreditAccepted': {
      const { credit, paymentId } = event.data
      return O.map((known: CheckoutRow) => ({
        ...known,
        received: stroops(known.received + credit.amount),
        paymentId,
        updatedAt: at,
      }))(row)
    }
    case 'EnrolmentSeen': {
      const { subscriptionId, trialDays, transactionHash } = event.data
      return patch(
        trialDays > 0 ? { subscriptionId, isSettled: true, completingHash: transactionHash } : { subscriptionId },
      )
    }
    case 'CheckoutSettled':
      return patch({ isSettled: true, late: event.data.late, completingHash: event.data.transactionHash })
    case 'CheckoutCompleted':
      return patch({ status: 'completed', completedAt: event.data.completedAt, paymentId: event.data.paymentId })
    case 'CheckoutCompletedUnpaid':
      return patch({ status: 'completed', completedAt: event.data.completedAt })
    case 'CheckoutExpired':
      return patch({ status: 'expired' })
    case 'CheckoutFailed':
      return patch({ status: 'failed', failureReason: event.data.reason })
    case 'MandateOffered':
    case 'EnrolmentRefused':
    case 'TransactionDied':
    case 'CreditSetAside':
      return patch({})
  }
}

/** Due at the deadline while open; found by the hash of the transaction that was announced last. */
export const checkouts: ReadModel<CheckoutRow> = {
  name: 'checkouts',
  version: 3,
  category: Checkout.category,
  ids: CheckoutId,
  row: CheckoutRow,
  fold,
  columns: ({ status, isSettled, customerId, submitted, details }) => ({
    status,
    customerId,
    lookupKey: submitted,
    dueAt: status === 'open' && !isSettled ? details.expiresAt : null,
  }),
}
