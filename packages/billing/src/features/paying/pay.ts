import { type AssetId, type CheckoutRejection, type Stroops, shownStatus } from '@quittance/domain'
import type { BuildRejection, LedgerUnreachable, MalformedEnvelope, SubmitFailure } from '@quittance/ledger'
import type { CustomerNotFound } from '../customers/living.ts'
import type { MandatesNotConfigured, MandateUnfit } from '../mandates/failures.ts'
import type { PathFailure } from './path-price.ts'
import type { PayerUnfit } from './payer-funds.ts'
import type { QuoteViewFailure } from './quote.ts'
import type { PublicSession } from './session.ts'

export type CheckoutNotOpen = { readonly _tag: 'CheckoutNotOpen'; readonly status: string }

/** The wallet cannot send the asset: it has none, may not part with it, or has less than `needed`. */
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
  | MandateUnfit
  | MandatesNotConfigured
  | { readonly _tag: 'SourceAccountNotFound' }
  /** The account has used the last sequence number there is: it can send nothing any more. */
  | { readonly _tag: 'NoSequenceLeft' }
  | CheckoutNotOpen
  /** The transaction does not pay this checkout's destination with this checkout's memo. */
  | { readonly _tag: 'NotAPaymentForThisCheckout' }
  /** Without an end, or with one too far away, nobody could ever say that the transaction is dead. */
  | { readonly _tag: 'TimeBoundsUnfit'; readonly longestSeconds: number }

/** Why a session takes no payment. Between a deadline and the ending of its session, it is still called open. */
export const notPayable = ({ state }: PublicSession): CheckoutNotOpen | CheckoutRejection =>
  state.status === 'open'
    ? { _tag: 'DeadlinePassed', expiresAt: state.details.expiresAt }
    : { _tag: 'CheckoutNotOpen', status: shownStatus(state) }
