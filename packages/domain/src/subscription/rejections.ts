import type { AssetId } from '../shared/asset.ts'
import type { CurrencyCode } from '../shared/currency.ts'
import type { AuthorizationId, InvoiceId, PaymentId } from '../shared/ids.ts'
import type { MandateId } from '../shared/mandate-id.ts'
import type { MetadataRejection } from '../shared/metadata.ts'
import type { Count, UnixMs } from '../shared/units.ts'
import type { SubscriptionStatus } from './state.ts'

/** Why a command about a subscription is refused, with the facts that explain it. */
export type SubscriptionRejection =
  | { readonly _tag: 'SubscriptionNotFound' }
  | { readonly _tag: 'SubscriptionAlreadyExists' }
  /** With a trial there is no first payment, without one there is; and it begins in a whole second. */
  | { readonly _tag: 'StartMismatch' }
  /** `canceled` is final. */
  | { readonly _tag: 'SubscriptionIsCanceled'; readonly canceledAt: UnixMs }
  /** What is asked cannot be in this status. */
  | { readonly _tag: 'StatusForbids'; readonly status: SubscriptionStatus }
  /** It is asked for too early, or the state has moved on since it was asked for. */
  | { readonly _tag: 'NotDue'; readonly dueAt: UnixMs | null }
  /** It may be on the ledger already: nothing else before its end. */
  | { readonly _tag: 'AttemptUnderWay'; readonly paymentId: PaymentId }
  | { readonly _tag: 'AttemptNotFound'; readonly paymentId: PaymentId }
  /** Another charge is due than the one that was attempted. */
  | { readonly _tag: 'OtherChargeDue'; readonly n: Count; readonly k: Count; readonly periodStart: UnixMs }
  /** The product was swapped since the charge was priced, or it was priced by agreed rates that do not count for it. */
  | { readonly _tag: 'OtherPriceCounts' }
  | { readonly _tag: 'AttemptsAreStopped'; readonly until: UnixMs }
  /** The money has come. */
  | { readonly _tag: 'ChargeHasSucceeded'; readonly paymentId: PaymentId }
  | { readonly _tag: 'InvoiceNotFound'; readonly invoiceId: InvoiceId }
  | { readonly _tag: 'NotPaused'; readonly status: SubscriptionStatus }
  /** Its end has come, and only waits to be written. */
  | { readonly _tag: 'CancellationIsDue'; readonly endsAt: UnixMs }
  | { readonly _tag: 'CancellationNotScheduled' }
  /** The customer has ended the mandate: first a new one, by the request of this id where there is one. */
  | { readonly _tag: 'AuthorizationWasRevoked'; readonly authorizationId: AuthorizationId | null }
  | { readonly _tag: 'AuthorizationNotNeeded' }
  | { readonly _tag: 'AuthorizationNotRequested'; readonly authorizationId: AuthorizationId }
  /** The mandate is for another interval than the one asked for, or for a later beginning than the period that is next. */
  | { readonly _tag: 'MandateMismatch'; readonly mandateId: MandateId }
  | { readonly _tag: 'MandateUnknown'; readonly mandateId: MandateId }
  | { readonly _tag: 'AssetMismatch'; readonly expected: AssetId }
  | { readonly _tag: 'CurrencyMismatch'; readonly expected: CurrencyCode }
  | MetadataRejection
