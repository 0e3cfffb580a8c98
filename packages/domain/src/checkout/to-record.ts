import type { IncomingPayment } from '../shared/incoming-payment.ts'
import { isBroughtBy, isSameIncomingPayment } from '../shared/incoming-payment.ts'
import { entryOf, groupsOf, mostRecordedSingly } from '../shared/sum-incoming-payments.ts'
import type { Session } from './state.ts'

/** A session that has so many entries takes only one for the largest sender of a ledger, and one for all others. */
const manyEntries = 100

/**
 * The entries of a ledger's payments to this session that are still to be recorded, all of them together: few, whatever
 * the number of payments. A ledger with a sum is recorded whole. A transaction that the session has announced shares no
 * entry with others, since its own outcome counts.
 */
export const toRecord = (
  { accepted, setAside, transactions }: Session,
  payments: ReadonlyArray<IncomingPayment>,
): ReadonlyArray<IncomingPayment> => {
  const ledger = payments[0]?.ledger
  const isOfLedger = (each: IncomingPayment) => each.ledger === ledger
  const recorded = [...accepted.filter(isOfLedger), ...setAside.map(({ credit }) => credit).filter(isOfLedger)]
  // What an operator applied here was the sum of another session or of the account.
  if (recorded.some(({ sum, exceptionId }) => sum !== undefined && exceptionId === undefined)) return []
  const isFlooded = accepted.length + setAside.length - recorded.length >= manyEntries
  const announcedAs = (payment: IncomingPayment): string =>
    transactions.find(({ transactionHash }) => isBroughtBy(payment, transactionHash))?.transactionHash ?? ''
  const isNew = (payment: IncomingPayment) => !recorded.some((known) => isSameIncomingPayment(known, payment))
  const groups = groupsOf(payments, isFlooded ? 1 : mostRecordedSingly, announcedAs)
  return groups.flatMap((group) => entryOf(group.filter(isNew)))
}
