import type { LedgerSequence, TransactionHash } from '../shared/incoming-payment.ts'
import type { Text } from '../shared/text.ts'
import type { PositiveCount, UnixMs } from '../shared/units.ts'
import type {
  FoundReset,
  LedgerPoint,
  PassedOver,
  PassedOverCompared,
  Resumption,
  UncountedTransaction,
} from './events.ts'

/** `latest` is the newest ledger that has closed; `isForced`: also where nothing keeps the ledger from being followed. */
export type ResumeFollowing = { readonly type: 'ResumeFollowing' } & Resumption & {
    readonly latest: LedgerSequence
    readonly isForced: boolean
  }

/** A transaction is left to a person. */
export type LeaveUncounted = { readonly type: 'LeaveUncounted' } & UncountedTransaction

/** What cannot be decoded of a ledger holds nothing of ours: the whole ledger, or these transactions of it. */
export type PassOver = {
  readonly type: 'PassOver'
  readonly transactions?: ReadonlyArray<TransactionHash>
} & PassedOver

/** The books were compared after ledgers that were passed over. */
export type ComparePassedOver = { readonly type: 'ComparePassedOver' } & PassedOverCompared

export type FindReset = { readonly type: 'FindReset' } & FoundReset

/** The history that was ingested goes on. */
export type DisproveReset = { readonly type: 'DisproveReset'; readonly at: UnixMs }

/** Ends the epoch that the operator has seen. `isForced`: even if nothing has shown that the network was reset. */
export type BeginReset = {
  readonly type: 'BeginReset'
  readonly epoch: PositiveCount
  readonly ended: LedgerPoint
  readonly by: Text
  readonly reason: Text
  readonly at: UnixMs
  readonly isForced: boolean
}

/** Once nothing of the epoch lives any more. Does nothing where it was completed before, even if a later one is ending. */
export type CompleteReset = {
  readonly type: 'CompleteReset'
  readonly epoch: number
  readonly begins: LedgerPoint
  readonly at: UnixMs
}

/** What may be asked of ingestion. */
export type LedgerIngestionCommand =
  | ResumeFollowing
  | LeaveUncounted
  | PassOver
  | ComparePassedOver
  | FindReset
  | DisproveReset
  | BeginReset
  | CompleteReset
