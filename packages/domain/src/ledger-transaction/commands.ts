import type { IntentId } from '../shared/ids.ts'
import type { OperationIndex, TransactionHash } from '../shared/incoming-payment.ts'
import type {
  BumpFailure,
  FeeBump,
  SubmissionRefusal,
  TransactionDeath,
  TransactionDecision,
  TransactionDetails,
  TransactionFailure,
  TransactionSuccess,
  WithdrawReason,
} from './events.ts'

export type PrepareTransaction = { readonly type: 'PrepareTransaction' } & TransactionDetails
export type ReleaseTransaction = { readonly type: 'ReleaseTransaction' }
export type WithdrawTransaction = { readonly type: 'WithdrawTransaction'; readonly reason: WithdrawReason }
/** `replaces`: the newest bump that the caller knows of, null for none. Of two who bump at once, one is heard. */
export type BumpFee = { readonly type: 'BumpFee'; readonly replaces: TransactionHash | null } & FeeBump
export type RecordRefusal = { readonly type: 'RecordRefusal' } & SubmissionRefusal
/** Only from a closed ledger that was ingested. */
export type RecordBumpFailure = { readonly type: 'RecordBumpFailure' } & BumpFailure
/** Only from a closed ledger that was ingested. */
export type RecordSuccess = { readonly type: 'RecordSuccess' } & TransactionSuccess
/** Only from a closed ledger that was ingested. */
export type RecordFailure = { readonly type: 'RecordFailure' } & TransactionFailure
/** Gives an operation of a recovered transaction to another intent than `from`, which it was planned for; null for none. */
export type ReassignOperation = {
  readonly type: 'ReassignOperation'
  readonly operationIndex: OperationIndex
  readonly from: IntentId | null
  readonly to: IntentId | null
}
/** Only on proof. */
export type RecordDeath = { readonly type: 'RecordDeath' } & TransactionDeath
/** Only where no ledger can tell, and on a person's word. */
export type DecideEnd = { readonly type: 'DecideEnd' } & TransactionDecision
export type CloseTransaction = { readonly type: 'CloseTransaction' }

/** What may be asked of an outgoing transaction. */
export type LedgerTransactionCommand =
  | PrepareTransaction
  | ReleaseTransaction
  | WithdrawTransaction
  | BumpFee
  | RecordRefusal
  | RecordBumpFailure
  | RecordSuccess
  | RecordFailure
  | ReassignOperation
  | RecordDeath
  | DecideEnd
  | CloseTransaction
