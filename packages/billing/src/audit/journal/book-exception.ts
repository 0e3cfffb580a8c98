import type { ExceptionDetails, ExceptionEvent, ExceptionState, PaymentState, UnixMs } from '@quittance/domain'
import { incomingPaymentKey } from '@quittance/projections'
import { asset, type Booking, type Posting, transfer } from './entry.ts'

type Existing = Exclude<ExceptionState, { readonly status: 'absent' }>

/** What an event of an exception does; null for nothing. `payment` is the one that its details name; null for none. */
export const bookException = (
  id: string,
  { details }: Existing,
  { type, data }: ExceptionEvent,
  payment: PaymentState | null,
  occurredAt: UnixMs,
): Booking | null => {
  const { transactionHash, ledger } = details
  switch (type) {
    case 'ExceptionOpened': {
      if (data.change !== undefined) {
        const postings = unexplained(data, data.change.direction)
        return { kind: 'unexplained', at: data.closedAt, subject: id, transactionHash, ledger, postings }
      }
      const from = foundIn(id, data, payment)
      if (from === null) return null
      const at = from === 'settlement' ? data.closedAt : occurredAt
      const postings = transfer(from, 'exceptions', asset(data.assetId), data.amount)
      return { kind: 'exception_opened', at, subject: id, transactionHash, ledger, postings }
    }
    case 'ExceptionResolved': {
      // What was returned or applied has an entry of its own.
      if (data.action !== 'accept') return null
      return {
        kind: 'exception_kept',
        at: data.resolvedAt,
        subject: id,
        transactionHash,
        ledger,
        postings: kept(details),
      }
    }
    case 'ExceptionLeftToPerson':
    case 'ReturnStarted':
    case 'ReturnPostponed':
    case 'ReturnWaitEnded':
    case 'ReturnFailed':
    case 'ExceptionReturned':
    case 'ApplicationStarted':
    case 'HoldReleased':
    case 'HoldKept':
      return null
  }
}

const unexplained = ({ assetId, amount }: ExceptionDetails, direction: 'gain' | 'loss'): ReadonlyArray<Posting> =>
  direction === 'gain'
    ? transfer('settlement', 'unexplained', asset(assetId), amount)
    : transfer('unexplained', 'settlement', asset(assetId), amount)

const kept = ({ assetId, amount, change }: ExceptionDetails): ReadonlyArray<Posting> => {
  if (change === undefined) return transfer('exceptions', 'kept', asset(assetId), amount)
  return change.direction === 'gain'
    ? transfer('unexplained', 'own', asset(assetId), amount)
    : transfer('own', 'unexplained', asset(assetId), amount)
}

/**
 * Where the money of a new exception was: in a payment that has recorded it, or on the ledger alone. Null where it is one of
 * the exceptions already: an excess, which its payment has left there, or what an operator had applied in vain.
 */
const foundIn = (
  id: string,
  details: ExceptionDetails,
  payment: PaymentState | null,
): 'settlement' | 'incoming' | null => {
  if (details.kind === 'overpaid') return null
  // A session that has failed hands over what it had accepted, perhaps before its payment has recorded that.
  if (details.kind === 'underpaid') return 'incoming'
  const key = incomingPaymentKey(details)
  const isRecorded =
    payment !== null &&
    payment.status !== 'absent' &&
    payment.incomingPayments.some((each) => incomingPaymentKey(each) === key && each.exceptionId !== id)
  if (isRecorded) return 'incoming'
  return details.appliedFrom === undefined ? 'settlement' : null
}
