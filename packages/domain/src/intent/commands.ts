import type { LedgerSequence, OperationIndex, TransactionHash } from '../shared/incoming-payment.ts'
import type { Text } from '../shared/text.ts'
import type { UnixMs } from '../shared/units.ts'
import type { DetachReason, GiveUpReason, IntentDetails } from './events.ts'

export type RecordIntent = { readonly type: 'RecordIntent' } & IntentDetails

/** `transactionHash` is that of our own transaction, whoever pays its fee in the end. */
export type AttachIntent = {
  readonly type: 'AttachIntent'
  readonly transactionHash: TransactionHash
  readonly operationIndex: OperationIndex
}

/** Only of a transaction that is withdrawn, proven dead or failed. */
export type DetachIntent = {
  readonly type: 'DetachIntent'
  readonly transactionHash: TransactionHash
  readonly reason: DetachReason
}

/** How the transaction that it is `attachedTo`, at this operation, ended in a closed ledger, which lists it as `transactionHash`. */
type LedgerEnd = {
  readonly attachedTo: TransactionHash
  readonly transactionHash: TransactionHash
  readonly operationIndex: OperationIndex
  readonly ledger: LedgerSequence
  readonly closedAt: UnixMs
}

export type SettleIntent = { readonly type: 'SettleIntent' } & LedgerEnd
export type RefuseIntent = { readonly type: 'RefuseIntent'; readonly code: Text } & LedgerEnd

/** A closed ledger holds it in a transaction that the log had lost: no other transaction can carry it. */
export type RecoverIntent = { readonly type: 'RecoverIntent' } & LedgerEnd

export type GiveUpIntent = { readonly type: 'GiveUpIntent'; readonly reason: GiveUpReason; readonly code?: Text }

/** Its owner knows of the end. */
export type ReportIntent = { readonly type: 'ReportIntent' }

/** What may be asked of an intent. */
export type IntentCommand =
  | RecordIntent
  | AttachIntent
  | DetachIntent
  | SettleIntent
  | RefuseIntent
  | RecoverIntent
  | GiveUpIntent
  | ReportIntent
