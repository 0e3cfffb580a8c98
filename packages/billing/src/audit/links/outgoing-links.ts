import {
  Exception,
  type ExceptionDetails,
  Intent,
  type IntentDetails,
  Payout,
  PayoutBook,
  type PayoutClaim,
  type RecordedEvent,
  Refund,
  type RefundDetails,
} from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type Link, type Linked, link, unlinked } from './link.ts'
import { chargedLink, chargeOrderLink, refundClaimLink, refundLink } from './payment-links.ts'

type Money = { readonly destination: string; readonly amount: bigint; readonly assetId: string }

/** Money that `owner` wants to go out. */
const orderLink = (owner: string, { destination, amount, assetId }: Money): Link =>
  link('order', owner, destination, amount, assetId)

const payoutClaimLink = (payoutId: string, { assetId, amount, target }: PayoutClaim['details']): Link =>
  link('claim', payoutId, target.destinationId, target.address, amount, assetId)

const sendingLink = (
  owner: string,
  { transactionHash, ledger }: { readonly transactionHash: string; readonly ledger: number },
): Link => link('sending', owner, transactionHash, ledger)

/** Reads the stream of a refund. */
export const refundLinks = (id: string): ((recorded: RecordedEvent) => Linked) => {
  let details: RefundDetails | null = null
  return (recorded) => {
    const decoded = Refund.events.decodeEvent(recorded)
    if (E.isLeft(decoded)) return unlinked
    const { type, data } = decoded.right
    if (type === 'RefundRequested') {
      details = data
      return { says: [orderLink(id, data)], needs: [refundClaimLink(id, data.paymentId, data)] }
    }
    if (type !== 'RefundSucceeded' || details === null) return unlinked
    return { says: [refundLink(id, details.paymentId)], needs: [sendingLink(id, data)] }
  }
}

/** Reads the stream of a payout. */
export const payoutLinks =
  (id: string): ((recorded: RecordedEvent) => Linked) =>
  (recorded) => {
    const decoded = Payout.events.decodeEvent(recorded)
    if (E.isLeft(decoded)) return unlinked
    const { type, data } = decoded.right
    if (type === 'PayoutRequested')
      return {
        says: [orderLink(id, { ...data, destination: data.target.address })],
        needs: [payoutClaimLink(id, data)],
      }
    return type === 'PayoutSucceeded' ? { needs: [sendingLink(id, data)] } : unlinked
  }

/** Reads the stream of the claims on the money of an asset. */
export const payoutBookLinks = (): ((recorded: RecordedEvent) => Linked) => (recorded) => {
  const decoded = PayoutBook.events.decodeEvent(recorded)
  return E.isRight(decoded) && decoded.right.type === 'PayoutClaimed'
    ? { says: [payoutClaimLink(decoded.right.data.payoutId, decoded.right.data.details)] }
    : unlinked
}

/** Reads the stream of an exception, of which money may go back. */
export const exceptionLinks = (): ((recorded: RecordedEvent) => Linked) => {
  let details: ExceptionDetails | null = null
  return (recorded) => {
    const decoded = Exception.events.decodeEvent(recorded)
    if (E.isLeft(decoded)) return unlinked
    const { type, data } = decoded.right
    if (type === 'ExceptionOpened') details = data
    if (type === 'ReturnStarted' && details !== null)
      return { says: [orderLink(data.returnId, { ...details, destination: data.destination })] }
    return type === 'ExceptionReturned' ? { needs: [sendingLink(data.returnId, data)] } : unlinked
  }
}

/** Reads the stream of an intent: a movement, and the transaction that has carried it. */
export const intentLinks = (): ((recorded: RecordedEvent) => Linked) => {
  let details: IntentDetails | null = null
  return (recorded) => {
    const decoded = Intent.events.decodeEvent(recorded)
    if (E.isLeft(decoded)) return unlinked
    const { type, data } = decoded.right
    if (type === 'IntentRecorded') {
      details = data
      return linkedBy(data)
    }
    return type === 'IntentSettled' && details !== null ? { says: [sendingLink(details.owner, data)] } : unlinked
  }
}

/** A charge needs its attempt, and money that is paid the refund, payout or return that it is for. */
const linkedBy = ({ class: kind, owner, action }: IntentDetails): Linked => {
  if (action._tag === 'charge')
    return {
      says: [chargedLink(owner, { ...action, from: action.customer })],
      needs: [chargeOrderLink(owner, action)],
    }
  const isOrdered = kind === 'refund' || kind === 'payout' || kind === 'return'
  return action._tag === 'payment' && isOrdered ? { needs: [orderLink(owner, action)] } : unlinked
}
