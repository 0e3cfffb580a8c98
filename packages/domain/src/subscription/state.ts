import type { AuthorizationId, PaymentId } from '../shared/ids.ts'
import type { MandateId } from '../shared/mandate-id.ts'
import type { MetadataText } from '../shared/metadata.ts'
import type { Count, UnixMs } from '../shared/units.ts'
import type {
  AuthorizationKind,
  AuthorizationReason,
  CancellationReason,
  FailureCause,
  FailureOutcome,
} from './causes.ts'
import type { ChargeAttempt, Invoice, SubscriptionDetails } from './events.ts'
import type { Anchor, Mandate, Period, SubscriptionTerms } from './terms.ts'

/** What the interface calls the three machines together. */
export type SubscriptionStatus = 'trialing' | 'active' | 'past_due' | 'overdue' | 'paused' | 'canceled'

/**
 * Lifecycle: whether it goes on. `trialRestMs` is what was left of a trial that the pause interrupted; `resuming`, since
 * when the charge that resumes it is due.
 */
export type Lifecycle =
  | { readonly _tag: 'running' }
  | {
      readonly _tag: 'paused'
      readonly at: UnixMs
      readonly trialRestMs: number | null
      readonly resuming: UnixMs | null
    }
  | { readonly _tag: 'canceled'; readonly at: UnixMs; readonly reason: CancellationReason }

/**
 * A run of failures that count, since the first: `n` was attempted last, for `cause`. `hardSince` is the first of the hard
 * failures that it ends with. `overdueAt`: when automatic charging ends.
 */
export type Dunning = {
  readonly _tag: 'dunning'
  readonly n: Count
  readonly since: UnixMs
  readonly outcome: FailureOutcome
  readonly cause: FailureCause
  readonly hardSince: UnixMs | null
  readonly finalNoticeAt: UnixMs | null
  readonly isFinalNoticeGiven: boolean
  readonly overdueAt: UnixMs | null
  readonly graceUntil: UnixMs | null
}

/** Collection: whether money is owed. */
export type Collection =
  | { readonly _tag: 'current' }
  | Dunning
  | { readonly _tag: 'invoiced'; readonly invoice: Invoice; readonly at: UnixMs; readonly graceUntil: UnixMs | null }

/** Entitlement: the last period that was given, as a trial, or paid for. */
export type Covered = { readonly kind: 'trial' | 'paid'; readonly n: Count; readonly period: Period }

/** `includedAt`: when a ledger that holds it closed, be it as a failure; null while none is known. */
export type Attempt = ChargeAttempt & {
  readonly status: 'under_way' | 'confirmed' | 'failed' | 'set_aside'
  readonly isHandedOver: boolean
  readonly includedAt: UnixMs | null
}

/** Something technical keeps a charge from being made: since when, and how often it was tried. */
export type Trouble = { readonly since: UnixMs; readonly tries: number }

/** `ended`: who ended the mandate on the ledger, and when, if anybody. */
export type Authorization = {
  readonly mandate: Mandate
  readonly ended: { readonly by: 'customer' | 'operator'; readonly at: UnixMs } | null
  readonly requested: {
    readonly authorizationId: AuthorizationId
    readonly kind: AuthorizationKind
    readonly why: AuthorizationReason
  } | null
  readonly expiryAnnouncedAt: UnixMs | null
}

/** A mandate that counts no more and is to be ended on the ledger; `sent` counts the tries. */
export type RetiredMandate = {
  readonly mandateId: MandateId
  readonly since: UnixMs
  readonly sent: number
  readonly sentAt: UnixMs | null
}

/** `status` is read from `lifecycle`, `collection` and `covered`. `nextN` is the first period neither covered nor forgiven. */
export type Subscription = {
  readonly status: SubscriptionStatus
  readonly details: SubscriptionDetails
  readonly lifecycle: Lifecycle
  readonly collection: Collection
  readonly covered: Covered
  readonly cancellation: { readonly reason: CancellationReason; readonly endsAt: UnixMs } | null
  readonly terms: SubscriptionTerms
  readonly pendingSwap: { readonly terms: SubscriptionTerms; readonly authorizationId: AuthorizationId } | null
  readonly anchor: Anchor
  readonly nextN: Count
  readonly attempts: ReadonlyArray<Attempt>
  readonly failedPaymentCount: Count
  /** When the charge is tried, or its cause looked at, again. */
  readonly retryAt: UnixMs | null
  readonly retryRequestedAt: UnixMs | null
  readonly trouble: Trouble | null
  readonly alarmedAt: UnixMs | null
  /** Attempts are stopped until then, after too many that reached a ledger; those before `countedFrom` do not count. */
  readonly stoppedUntil: UnixMs | null
  readonly countedFrom: UnixMs | null
  /** The period whose beginning was announced last. */
  readonly announced: Count | null
  readonly authorization: Authorization
  readonly endedMandates: ReadonlyArray<MandateId>
  readonly retired: ReadonlyArray<RetiredMandate>
  readonly metadata: MetadataText
  /** Payments that came and count for nothing here. */
  readonly asidePayments: ReadonlyArray<PaymentId>
  readonly invoices: ReadonlyArray<{ readonly invoice: Invoice; readonly payments: ReadonlyArray<PaymentId> }>
}
export type SubscriptionState = { readonly status: 'absent' } | Subscription
