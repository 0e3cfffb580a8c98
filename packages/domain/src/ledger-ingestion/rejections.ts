import type { LedgerSequence } from '../shared/incoming-payment.ts'
import type { Count, PositiveCount } from '../shared/units.ts'

/** Why a command about ingestion is refused, with the facts that explain it. */
export type LedgerIngestionRejection =
  /** Everything of the ledger named was handled: going back to it would find nothing new. */
  | { readonly _tag: 'LedgerAlreadyWalked'; readonly walkedTo: LedgerSequence }
  /** Only the ledger after the newest one may be waited for. */
  | { readonly _tag: 'LedgerNotClosed'; readonly latest: LedgerSequence }
  /** The ledger can be followed: skipping some of it has to be wished for expressly. */
  | { readonly _tag: 'FollowingNotHalted'; readonly walkedTo: LedgerSequence }
  /** So many ledgers of this protocol were passed over that a release has to be found that reads it. */
  | { readonly _tag: 'TooManyPassedOver'; readonly protocol: Count }
  /** Nothing shows that the network was reset: that has to be wished for expressly. */
  | { readonly _tag: 'NetworkNotReset' }
  /** Another process has ended the epoch: the one that lives now is another. */
  | { readonly _tag: 'EpochHasEnded'; readonly epoch: PositiveCount }
