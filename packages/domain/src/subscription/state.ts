import * as t from 'io-ts'
import { AccountId, AssetId, ContractId } from '../shared/asset.ts'
import { orNull } from '../shared/branded.ts'
import { AuthorizationId, PaymentId, ProductId } from '../shared/ids.ts'
import { MandateId } from '../shared/mandate-id.ts'
import { MetadataText } from '../shared/metadata.ts'
import { partial, strict } from '../shared/strict.ts'
import { Count, UnixMs } from '../shared/units.ts'
import {
  AuthorizationKind,
  AuthorizationReason,
  CancellationReason,
  FailureCause,
  FailureOutcome,
  UnsettledCause,
} from './causes.ts'
import { ChargeAttempt, Invoice, PriceChangeNotice, SubscriptionDetails } from './events.ts'
import { Anchor, Mandate, Period, SubscriptionTerms } from './terms.ts'

// These are codecs so that a read model can keep what a stream makes, and know what is due without reading it again.

/** What the interface calls the three machines together. */
export const SubscriptionStatus = t.keyof(
  { trialing: null, active: null, past_due: null, overdue: null, paused: null, canceled: null },
  'SubscriptionStatus',
)
export type SubscriptionStatus = t.TypeOf<typeof SubscriptionStatus>

/** Of what `rates_after` has paused or invoiced: why no attempt could settle the charge. */
const unsettled = partial({ unsettled: UnsettledCause })

/**
 * Lifecycle: whether it goes on. `trialRestMs` is what was left of a trial that the pause interrupted; `resuming`, since
 * when the charge that resumes it is due.
 */
const Lifecycle = t.union([
  strict({ _tag: t.literal('running') }),
  t.intersection([
    strict({ _tag: t.literal('paused'), at: UnixMs, trialRestMs: orNull(Count), resuming: orNull(UnixMs) }),
    unsettled,
  ]),
  strict({ _tag: t.literal('canceled'), at: UnixMs, reason: CancellationReason }),
])
export type Lifecycle = t.TypeOf<typeof Lifecycle>

/**
 * A run of failures that count, since the first: `n` was attempted last, for `cause`. `hardSince` is the first of the hard
 * failures that it ends with. `overdueAt`: when automatic charging ends.
 */
const Dunning = strict({
  _tag: t.literal('dunning'),
  n: Count,
  since: UnixMs,
  outcome: FailureOutcome,
  cause: FailureCause,
  hardSince: orNull(UnixMs),
  finalNoticeAt: orNull(UnixMs),
  isFinalNoticeGiven: t.boolean,
  overdueAt: orNull(UnixMs),
  graceUntil: orNull(UnixMs),
})

/** Collection: whether money is owed. */
const Collection = t.union([
  strict({ _tag: t.literal('current') }),
  Dunning,
  t.intersection([
    strict({ _tag: t.literal('invoiced'), invoice: Invoice, at: UnixMs, graceUntil: orNull(UnixMs) }),
    unsettled,
  ]),
])
export type Collection = t.TypeOf<typeof Collection>

/** Entitlement: the last period that was given, as a trial, or paid for. `paidAt`: when the ledger of its money closed. */
const Covered = strict({
  kind: t.keyof({ trial: null, paid: null }),
  n: Count,
  period: Period,
  paidAt: orNull(UnixMs),
})

/**
 * `mandate` is the one that it was made by, and `productId` what it is for: others may have replaced both since. `includedAt`:
 * when a ledger that holds it closed, be it as a failure; null while none is known. `assetId`: where the asset is another one
 * since.
 */
const Attempt = t.intersection([
  ChargeAttempt,
  strict({
    mandate: Mandate,
    productId: ProductId,
    status: t.keyof({ under_way: null, confirmed: null, failed: null, set_aside: null }),
    isHandedOver: t.boolean,
    includedAt: orNull(UnixMs),
  }),
  partial({ assetId: AssetId }),
])
export type Attempt = t.TypeOf<typeof Attempt>

/**
 * `ended`: who ended the mandate on the ledger, and when, if anybody. `missing`: what the next charge will not go without, or
 * resuming has come to nothing for, until the customer gives it; `requested` is what they were asked for; `withdrawn` the last
 * request that was taken back; `offered` the contracts, besides that of `mandate`, in which a request's mandate was offered.
 */
const Authorization = t.intersection([
  strict({
    mandate: Mandate,
    ended: orNull(strict({ by: t.keyof({ customer: null, operator: null }), at: UnixMs })),
    missing: orNull(strict({ kind: AuthorizationKind, why: AuthorizationReason, since: UnixMs })),
    requested: orNull(strict({ authorizationId: AuthorizationId, kind: AuthorizationKind, why: AuthorizationReason })),
    expiryAnnouncedAt: orNull(UnixMs),
  }),
  partial({
    withdrawn: strict({ authorizationId: AuthorizationId, at: UnixMs }),
    offered: strict({ authorizationId: AuthorizationId, contracts: t.readonlyArray(ContractId) }),
  }),
])
export type Authorization = t.TypeOf<typeof Authorization>

/**
 * A mandate that counts no more and is to be ended on the ledger; `sent` counts the tries. `contract` and `operator` are its
 * own, where they are not those of the mandate that counts.
 */
const RetiredMandate = t.intersection([
  strict({ mandateId: MandateId, since: UnixMs, sent: Count, sentAt: orNull(UnixMs) }),
  partial({ contract: ContractId, operator: AccountId }),
])
export type RetiredMandate = t.TypeOf<typeof RetiredMandate>

/**
 * The newest price change that the customer was told of. `acceptedAt`: when they have signed for it. It waits until `ended`
 * says what has become of it.
 */
const PriceChangeSeen = t.intersection([
  PriceChangeNotice,
  strict({
    noticedAt: UnixMs,
    acceptedAt: orNull(UnixMs),
    ended: orNull(t.keyof({ changed: null, refused: null, dropped: null })),
  }),
])
export type PriceChangeSeen = t.TypeOf<typeof PriceChangeSeen>

/** `status` is read from `lifecycle`, `collection` and `covered`. */
const record = strict({
  status: SubscriptionStatus,
  details: SubscriptionDetails,
  lifecycle: Lifecycle,
  collection: Collection,
  covered: Covered,
  cancellation: orNull(strict({ reason: CancellationReason, endsAt: UnixMs })),
  terms: SubscriptionTerms,
  pendingSwap: orNull(strict({ terms: SubscriptionTerms, authorizationId: AuthorizationId })),
  anchor: Anchor,
  /** The first period neither covered nor forgiven. */
  nextN: Count,
  attempts: t.readonlyArray(Attempt),
  failedPaymentCount: Count,
  /** When the charge is tried, or its cause looked at, again, as everybody may know; in truth `retryOffsetMs` later. */
  retryAt: orNull(UnixMs),
  retryOffsetMs: Count,
  retryRequestedAt: orNull(UnixMs),
  /** Something technical keeps a charge from being made: since when, and how often it was tried. */
  trouble: orNull(strict({ since: UnixMs, tries: Count })),
  alarmedAt: orNull(UnixMs),
  /** When access was last recorded as ended by time. */
  accessEndedAt: orNull(UnixMs),
  /** Attempts are stopped until then, after too many that reached a ledger; those before `countedFrom` do not count. */
  stoppedUntil: orNull(UnixMs),
  countedFrom: orNull(UnixMs),
  /** The period whose beginning was announced last. */
  announced: orNull(Count),
  authorization: Authorization,
  endedMandates: t.readonlyArray(MandateId),
  retired: t.readonlyArray(RetiredMandate),
  /** Payments that came and count for nothing here. */
  unappliedPayments: t.readonlyArray(PaymentId),
  invoices: t.readonlyArray(strict({ invoice: Invoice, payments: t.readonlyArray(PaymentId) })),
  metadata: MetadataText,
})
/** What is kept of a subscription once it exists. */
export const SubscriptionRecord = t.intersection(
  [record, partial({ priceChange: PriceChangeSeen })],
  'SubscriptionRecord',
)
export type SubscriptionRecord = t.TypeOf<typeof SubscriptionRecord>
/** What a subscription holds besides the status that is read from it. */
export type Machines = Omit<SubscriptionRecord, 'status'>
/** What the events of its stream say about a subscription. */
export type SubscriptionState = { readonly status: 'absent' } | SubscriptionRecord
