import type { TransactionHash } from '../shared/incoming-payment.ts'

/** Why a command about a channel account is refused, with the facts that explain it. */
export type ChannelRejection =
  | { readonly _tag: 'SequenceIsTaken'; readonly by: TransactionHash }
  | { readonly _tag: 'SequenceIsUsed'; readonly by: TransactionHash }
  /** This transaction has given the number back, for ever. */
  | { readonly _tag: 'SequenceWasFreed'; readonly transactionHash: TransactionHash }
