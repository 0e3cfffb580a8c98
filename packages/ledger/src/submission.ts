import type { LedgerSequence, TransactionHash, UnixMs } from '@quittance/domain'

/** The network took the transaction into its queue, or has it there already. */
export type Submitted = {
  readonly _tag: 'Queued'
  readonly transactionHash: TransactionHash
  readonly latestLedger: LedgerSequence
}

/**
 * Why a submission did not reach the queue, named for what to do next. None of these proves that the transaction is
 * dead: an earlier send of the same bytes may have been included.
 * Source: Stellar docs, `sendTransaction`, and the transaction result codes.
 */
export type SubmitFailure =
  /** A queued transaction of the same source, a ban or the fee: the same bytes, at least one ledger later. */
  | { readonly _tag: 'TryAgainLater'; readonly latestLedger: LedgerSequence }
  /** The sequence is used or has a gap: settle the source's earlier transaction first. */
  | { readonly _tag: 'BadSequence' }
  /** The time bounds have ended: one look-up by hash, then it is final. */
  | { readonly _tag: 'Expired' }
  /** The fee is too low: wrap the same transaction in a fee bump. */
  | { readonly _tag: 'FeeTooLow' }
  /** The account that pays the fee is missing or too poor: an operator must act. */
  | { readonly _tag: 'FeeSourceCannotPay'; readonly code: string }
  /** A contract call without fitting memo, source or resources: simulate and rebuild. */
  | { readonly _tag: 'SimulateAgain' }
  /** The network refuses these bytes: never send them again, read the outcome after `maxTime`. */
  | { readonly _tag: 'Refused'; readonly code: string; readonly operationCodes: ReadonlyArray<string> }
  /** Nobody knows whether the bytes arrived: look the hash up before anything else. `cause` is for the log. */
  | { readonly _tag: 'OutcomeUnknown'; readonly cause: string }
  /** The service holds the bytes back, so no node has received them now. */
  | { readonly _tag: 'Withheld'; readonly cause: string }

/** The closed ledgers a node holds, oldest to latest, with their close times. */
export type LedgerRange = {
  readonly oldest: LedgerSequence
  readonly oldestClosedAt: UnixMs
  readonly latest: LedgerSequence
  readonly latestClosedAt: UnixMs
}

/**
 * The result of looking a transaction up. `Succeeded` and `Failed` are final for the hash once its ledger confirms
 * them: a single node (`rpcGateway`) only passes on its claim. Where a fee bump failed by itself, nodes report `Failed`
 * for the inner transaction too, for which it is not final: outcomes of ingested ledgers tell the two apart. `NotFound`
 * alone means nothing: see `isProvenDead`. Codes are the network's names, such as `txFailed` and `paymentUnderfunded`.
 */
export type TransactionLookUp =
  | { readonly _tag: 'Succeeded'; readonly ledger: LedgerSequence; readonly closedAt: UnixMs }
  | {
      readonly _tag: 'Failed'
      readonly ledger: LedgerSequence
      readonly closedAt: UnixMs
      readonly code: string
      readonly operationCodes: ReadonlyArray<string>
    }
  | { readonly _tag: 'NotFound'; readonly range: LedgerRange }

/**
 * Whether a look-up proves that a transaction can never be included: it was not found by a node that is at or past the
 * highest ledger seen, has a ledger that closed after the transaction's last valid second, and holds every ledger since
 * the first submission. `firstSentAt` is the close time of the newest ledger at that moment: both are the network's
 * clock.
 */
export const isProvenDead = (
  lookUp: TransactionLookUp,
  sent: { readonly maxTime: UnixMs; readonly firstSentAt: UnixMs; readonly highestLedgerSeen: LedgerSequence },
): boolean =>
  lookUp._tag === 'NotFound' &&
  lookUp.range.latest >= sent.highestLedgerSeen &&
  lookUp.range.latestClosedAt > sent.maxTime &&
  lookUp.range.oldestClosedAt <= sent.firstSentAt
