import type { AccountId, AssetId, IncomingPaymentSum, LedgerSequence, RecordedEvent, UnixMs } from '@quittance/domain'
import { incomingPaymentKey } from '@quittance/projections'
import { journalFact, subjectOf } from '../journal/journal-facts.ts'

/**
 * What an event of the log says to have come in: the ledger itself must hold it. `account` is the one that received it, where the event says
 * so. `subject` is the payment, exception or funding.
 */
export type Claim = {
  readonly key: string
  readonly subject: string
  readonly stream: string
  readonly revision: bigint
  readonly merchantId: string
  readonly transactionHash: string
  readonly account: AccountId | null
  readonly assetId: AssetId
  readonly amount: bigint
  readonly ledger: LedgerSequence
  readonly closedAt: UnixMs
  readonly sum: IncomingPaymentSum | null
}

type Incoming = Pick<Claim, 'transactionHash' | 'assetId' | 'amount' | 'ledger' | 'closedAt'> & {
  readonly operationIndex: number
  readonly ordinal?: number
  readonly sum?: IncomingPaymentSum
}

/**
 * The incoming payment that an event claims; null for an event that claims none. Money that an operator has applied, and what a
 * payment or a session has handed over to an exception, was claimed before. `isFresh` says whether an exception's money was
 * nowhere in the log.
 */
export const claimOf = (recorded: RecordedEvent, isFresh: boolean): Claim | null => {
  const fact = journalFact(recorded)
  const claim = (incoming: Incoming, account: AccountId | null): Claim => {
    const { transactionHash, assetId, amount, ledger, closedAt, sum = null } = incoming
    const { stream, revision, metadata } = recorded
    const place = { subject: subjectOf(recorded), stream, revision, merchantId: metadata.merchantId }
    return {
      key: incomingPaymentKey(incoming),
      ...place,
      transactionHash,
      account,
      assetId,
      amount,
      ledger,
      closedAt,
      sum,
    }
  }
  if (fact?._tag === 'payment' && fact.event.type === 'PaymentCredited') {
    const { credit } = fact.event.data
    return credit.exceptionId === undefined ? claim(credit, null) : null
  }
  if (fact?._tag === 'exception' && fact.event.type === 'ExceptionOpened')
    return isFresh && fact.event.data.change === undefined
      ? claim(fact.event.data, fact.event.data.account ?? null)
      : null
  if (fact?._tag === 'funding' && fact.event.type === 'FundingReceived')
    return claim(fact.event.data, fact.event.data.account)
  return null
}
