import type { TransactionHash } from '../shared/incoming-payment.ts'
import type { Stroops } from '../shared/stroops.ts'
import type { TransactionEnd } from './state.ts'

/** Why a command about an outgoing transaction is refused, with the facts that explain it. */
export type LedgerTransactionRejection =
  | { readonly _tag: 'TransactionNotFound' }
  /** The same bytes were prepared before, for something else. */
  | { readonly _tag: 'TransactionAlreadyPrepared' }
  | { readonly _tag: 'TransactionNotReleased' }
  /** Its bytes may be anywhere: only a ledger says what becomes of it. */
  | { readonly _tag: 'TransactionIsReleased' }
  /** The network will not have it, whatever the fee. */
  | { readonly _tag: 'TransactionIsRefused' }
  | { readonly _tag: 'TransactionHasEnded'; readonly end: TransactionEnd['_tag'] }
  | { readonly _tag: 'TransactionNotEnded' }
  /** It is not planned for that intent, or not any more. */
  | { readonly _tag: 'OperationNotAssigned' }
  | { readonly _tag: 'FeeAboveCap'; readonly feeCap: Stroops }
  /** Another bump was made first, which has to have its ledgers before the next one. */
  | { readonly _tag: 'FeeBumpedMeanwhile'; readonly transactionHash: TransactionHash }
  /** A bump that bids no more than what was bid before. */
  | { readonly _tag: 'FeeNotHigher'; readonly fee: Stroops }
