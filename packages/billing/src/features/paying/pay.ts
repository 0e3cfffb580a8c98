import { type AssetId, type CheckoutRejection, type Stroops, shownStatus } from '@quittance/domain'
import type { BuildRejection, LedgerUnreachable, MalformedEnvelope, SubmitFailure } from '@quittance/ledger'
import type { CustomerNotFound } from '../customers/living.ts'
import type { AlreadySubscribed } from '../customers/living-subscriptions.ts'
import type { MandatesNotConfigured, MandateUnfit } from '../mandates/failures.ts'
import type { PathFailure } from './path-price.ts'
import type { PayerUnfit } from './payer-funds.ts'
import type { QuoteViewFailure } from './quote.ts'
import type { PublicSession } from './session.ts'

export type CheckoutNotOpen = { readonly _tag: 'CheckoutNotOpen'; readonly status: string }

/** The wallet cannot send the asset: it holds none, may not send it, or has less than `needed`. */
type SendRefused =
  | { readonly _tag: 'SendAssetNotHeld'; readonly assetId: AssetId }
  | { readonly _tag: 'SendAssetTooLittle'; readonly balance: Stroops; readonly needed: Stroops }

export type PayFailure =
  | QuoteViewFailure
  | LedgerUnreachable
  | BuildRejection
  | MalformedEnvelope
  | SubmitFailure
  | PathFailure
  | SendRefused
  | PayerUnfit
  | CustomerNotFound
  | AlreadySubscribed
  | MandateUnfit
  | MandatesNotConfigured
  | { readonly _tag: 'SourceAccountNotFound' }
  /** The account has used up its sequence numbers: it can send nothing any more. */
  | { readonly _tag: 'NoSequenceLeft' }
  | CheckoutNotOpen
  /** The wallet can hold the asset already. */
  | { readonly _tag: 'TrustlineNotNeeded'; readonly assetId: AssetId }
  /** The transaction does not pay this checkout's destination with this checkout's memo. */
  | { readonly _tag: 'NotAPaymentForThisCheckout' }
  /** Without a time limit, or with one too far away, the transaction could never be known to be dead. */
  | { readonly _tag: 'TimeBoundsUnfit'; readonly longestSeconds: number }

/** Why a session takes no payment. Between its deadline and its recorded end, its status is still open. */
export const notPayable = ({ state }: PublicSession): CheckoutNotOpen | CheckoutRejection =>
  state.status === 'open'
    ? { _tag: 'DeadlinePassed', expiresAt: state.details.expiresAt }
    : { _tag: 'CheckoutNotOpen', status: shownStatus(state) }
