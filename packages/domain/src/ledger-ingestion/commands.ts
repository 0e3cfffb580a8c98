import type { LedgerSequence } from '../shared/incoming-payment.ts'
import type { Resumption, UncountedTransaction } from './events.ts'

/** `latest` is the newest ledger that has closed; `isForced`: also where nothing keeps the ledger from being followed. */
export type ResumeFollowing = { readonly type: 'ResumeFollowing' } & Resumption & {
    readonly latest: LedgerSequence
    readonly isForced: boolean
  }

/** A transaction is left to a person. */
export type LeaveUncounted = { readonly type: 'LeaveUncounted' } & UncountedTransaction

export type LedgerIngestionCommand = ResumeFollowing | LeaveUncounted
