import type { TransactionHash } from '../shared/incoming-payment.ts'
import type { IntentDetails } from './events.ts'

/** Why a command about an intent is refused, with the facts that explain it. */
export type IntentRejection =
  | { readonly _tag: 'IntentNotFound' }
  /** The id names another movement already. */
  | { readonly _tag: 'IntentAlreadyRecorded'; readonly details: IntentDetails }
  /** It stands in a transaction that may still carry it. */
  | { readonly _tag: 'IntentIsAttached'; readonly transactionHash: TransactionHash }
  /** This transaction has let it go, for ever. */
  | { readonly _tag: 'IntentWasDetached'; readonly transactionHash: TransactionHash }
  | { readonly _tag: 'IntentHasEnded'; readonly status: 'settled' | 'refused' | 'given_up' | 'reported' }
  /** Its owner cannot hear of an end yet. */
  | { readonly _tag: 'IntentNotEnded' }
  /** It has not been tried often enough. */
  | { readonly _tag: 'AttemptsNotExhausted' }
