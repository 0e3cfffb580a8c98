import type { LedgerSequence } from '../shared/incoming-payment.ts'

export type LedgerIngestionRejection =
  /** Everything of the ledger named was handled: going back to it would find nothing new. */
  | { readonly _tag: 'LedgerAlreadyWalked'; readonly walkedTo: LedgerSequence }
  /** Only the ledger after the newest one may be waited for. */
  | { readonly _tag: 'LedgerNotClosed'; readonly latest: LedgerSequence }
  /** The ledger can be followed: skipping some of it has to be wished for expressly. */
  | { readonly _tag: 'FollowingNotHalted'; readonly walkedTo: LedgerSequence }
