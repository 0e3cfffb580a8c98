import {
  hourMs,
  IncomingPayment,
  isBroughtBy,
  Payment,
  PaymentConfirmation,
  PaymentDetails,
  PaymentFailureReason,
  PaymentId,
  type RecordedEvent,
  RefundId,
  Text,
  TransactionHash,
  UnixMs,
  unixMs,
} from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { createdAt } from './created-at.ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

const orNull = <C extends t.Mixed>(codec: C) => t.union([t.null, codec])

export const PaymentRow = t.strict({
  details: PaymentDetails,
  status: t.keyof({ pending: null, confirmed: null, failed: null }),
  submission: orNull(t.strict({ transactionHash: TransactionHash, maxTime: UnixMs, sentAt: UnixMs })),
  credits: t.readonlyArray(IncomingPayment),
  confirmation: orNull(PaymentConfirmation),
  refunds: t.readonlyArray(
    t.strict({
      refundId: RefundId,
      reason: orNull(Text),
      status: t.keyof({ pending: null, confirmed: null, failed: null }),
    }),
  ),
  failureReason: orNull(PaymentFailureReason),
  failureCode: orNull(Text),
  createdAt: UnixMs,
  updatedAt: UnixMs,
})
export type PaymentRow = t.TypeOf<typeof PaymentRow>

const decode = decodedBy(Payment)

const fold = (row: O.Option<PaymentRow>, recorded: RecordedEvent): O.Option<PaymentRow> => {
  const at = unixMs(recorded.metadata.occurredAt)
  const event = decode(recorded)
  const patch = (change: (row: PaymentRow) => Partial<PaymentRow>) =>
    O.map((known: PaymentRow) => ({ ...known, ...change(known), updatedAt: at }))(row)
  switch (event.type) {
    case 'PaymentOpened':
      return O.some({
        details: event.data,
        status: 'pending',
        submission: null,
        credits: [],
        confirmation: null,
        refunds: [],
        failureReason: null,
        failureCode: null,
        createdAt: createdAt(recorded),
        updatedAt: at,
      })
    case 'PaymentSubmitted':
      return patch(() => ({ submission: { ...event.data, sentAt: at } }))
    case 'PaymentCredited':
      return patch(({ credits }) => ({ credits: [...credits, event.data.credit] }))
    case 'PaymentConfirmed':
      return patch(() => ({ status: 'confirmed', confirmation: event.data }))
    case 'PaymentFailed':
      return patch(() => ({
        status: 'failed',
        failureReason: event.data.reason,
        failureCode: event.data.code ?? null,
      }))
    case 'RefundClaimed': {
      const { refundId, reason } = event.data
      return patch(({ refunds }) => ({ refunds: [...refunds, { refundId, reason, status: 'pending' }] }))
    }
    case 'ReturnClaimed':
      return patch(() => ({}))
    case 'RefundReleased':
      return patch(({ refunds }) => ({ refunds: withEnd(refunds, event.data.refundId, 'failed') }))
    case 'PaymentRefunded':
      return patch(({ refunds }) => ({ refunds: withEnd(refunds, event.data.refundId, 'confirmed') }))
  }
}

const withEnd = (
  refunds: PaymentRow['refunds'],
  refundId: RefundId,
  status: 'confirmed' | 'failed',
): PaymentRow['refunds'] => refunds.map((each) => (each.refundId === refundId ? { ...each, status } : each))

/**
 * Every pending payment is due at some time: from the moment its transaction was relayed until that has brought
 * something, otherwise when its checkout has ended for certain. So none is forgotten, whatever a crash has interrupted.
 * A renewal's is never: its intent brings it to its end. An invoice's is at once: it has no deadline, and may any moment not
 * be owed any more. A subscription's are found by it, all others by their checkout.
 */
export const payments: ReadModel<PaymentRow> = {
  name: 'payments',
  version: 5,
  category: Payment.category,
  ids: PaymentId,
  row: PaymentRow,
  fold,
  columns: (row) => ({
    status: row.status,
    customerId: row.details.customerId,
    lookupKey: row.details.subscriptionId ?? row.details.checkoutId,
    dueAt: row.status === 'pending' ? dueAt(row) : null,
  }),
}

const longestSessionMs = 24 * hourMs

const dueAt = ({ details, submission, credits, createdAt }: PaymentRow): number | null => {
  if (details.cause === 'renewal') return null
  if (details.invoiceId !== undefined) return createdAt
  const isAwaited = submission !== null && !credits.some((credit) => isBroughtBy(credit, submission.transactionHash))
  return isAwaited ? submission.sentAt : createdAt + longestSessionMs
}
