import { dayMs, type IncomingPayment, isBroughtBy, Payment, PaymentId, PaymentRecord } from '@quittance/domain'
import { type StateRow, stateModel } from './state-model.ts'

/** A payment as its row holds it, with when it was made and last changed. */
export type PaymentRow = StateRow<PaymentRecord>

const longestSessionMs = dayMs

/**
 * Every pending payment is due at some time: at once while its relayed transaction has brought nothing, otherwise when its
 * checkout has ended for certain. So none is forgotten, whatever a crash has interrupted. A renewal's is never due: its
 * intent brings it to its end. An invoice's is due at once: it has no deadline, and may stop being owed at any moment.
 */
const dueAt = ({ status, details, submitted, incomingPayments, createdAt }: PaymentRow): number | null => {
  if (status !== 'pending' || details.cause === 'renewal') return null
  const last = submitted.at(-1)
  const isAwaited = last !== undefined && !incomingPayments.some((each) => isBroughtBy(each, last.transactionHash))
  return isAwaited || details.invoiceId !== undefined ? createdAt : createdAt + longestSessionMs
}

const mostShown = 50

/** With its newest incoming payments, and those of the transactions that it has announced. */
const pruned = (state: PaymentRecord): PaymentRecord => {
  const { incomingPayments, submitted } = state
  if (incomingPayments.length <= mostShown) return state
  const isAnnounced = (incoming: IncomingPayment) =>
    submitted.some(({ transactionHash }) => isBroughtBy(incoming, transactionHash))
  const from = incomingPayments.length - mostShown
  return { ...state, incomingPayments: incomingPayments.filter((each, index) => index >= from || isAnnounced(each)) }
}

/** A subscription's are found by it, all others by their checkout. */
export const payments = stateModel({
  name: 'payments',
  version: 7,
  aggregate: Payment,
  record: PaymentRecord,
  ids: PaymentId,
  pruned,
  columns: (row) => ({
    status: row.status,
    listedUnder: row.details.customerId,
    lookupKey: row.details.subscriptionId ?? row.details.checkoutId,
    dueAt: dueAt(row),
  }),
})
