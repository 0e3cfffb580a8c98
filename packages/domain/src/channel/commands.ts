import type { TransactionHash } from '../shared/incoming-payment.ts'

type OfTransaction = { readonly transactionHash: TransactionHash }

export type TakeSequence = { readonly type: 'TakeSequence' } & OfTransaction

/** Only of a transaction that is withdrawn or proven dead. */
export type FreeSequence = { readonly type: 'FreeSequence' } & OfTransaction

/** A closed ledger holds the transaction, whether it succeeded there or failed. */
export type UseSequence = { readonly type: 'UseSequence' } & OfTransaction

/** What may be asked of a channel account. */
export type ChannelCommand = TakeSequence | FreeSequence | UseSequence
