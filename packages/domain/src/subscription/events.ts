import * as t from 'io-ts'
import { Rate } from '../checkout/index.ts'
import { WithoutConsent } from '../price-change/index.ts'
import { AssetId, ContractId } from '../shared/asset.ts'
import { orNull } from '../shared/branded.ts'
import { fact, facts } from '../shared/fact.ts'
import {
  AuthorizationId,
  CheckoutId,
  CustomerId,
  InvoiceId,
  PaymentId,
  PriceChangeId,
  Reference,
} from '../shared/ids.ts'
import { LedgerSequence, TransactionHash } from '../shared/incoming-payment.ts'
import { MandateId } from '../shared/mandate-id.ts'
import { MetadataText } from '../shared/metadata.ts'
import { PlatformFee } from '../shared/platform-fee.ts'
import { partial, strict } from '../shared/strict.ts'
import { Stroops } from '../shared/stroops.ts'
import { Text } from '../shared/text.ts'
import { Count, PositiveCount, UnixMs } from '../shared/units.ts'
import {
  AlarmCause,
  AuthorizationKind,
  AuthorizationReason,
  CancellationReason,
  ChargeReason,
  DelayCause,
  FailureCause,
  FailureOutcome,
  PaymentAsideReason,
  PriceChangeEnd,
  ResumeFailureCause,
  RetryCause,
  UnsettledCause,
} from './causes.ts'
import { Anchor, Approval, FiatPrice, LostPeriods, Mandate, Period, SubscriptionTerms } from './terms.ts'

/**
 * A subscription as it began, at the close time of the ledger that holds its mandate. Period 0 is what the checkout gave:
 * the trial, or the first paid period, which `firstPaymentId` paid. So the mandate's first charge is for period 1.
 */
export const SubscriptionDetails = strict(
  {
    checkoutId: CheckoutId,
    customerId: CustomerId,
    terms: SubscriptionTerms,
    assetId: AssetId,
    mandate: Mandate,
    trialDays: Count,
    firstPaymentId: orNull(PaymentId),
    metadata: MetadataText,
    startedAt: UnixMs,
  },
  'SubscriptionDetails',
)
export type SubscriptionDetails = t.TypeOf<typeof SubscriptionDetails>

/** Where a closed ledger holds it. */
const inLedger = { transactionHash: TransactionHash, ledger: LedgerSequence, closedAt: UnixMs }

/** The last rate of a pair that sources agreed on: units of the second for one of the first. */
export const AgreedRate = strict({ pair: Text, rate: Text }, 'AgreedRate')
export type AgreedRate = t.TypeOf<typeof AgreedRate>

/**
 * An attempt to charge for period `n`, the `k`th from 0, by a mandate. Its payment's id derives from both, and is the
 * reference on the ledger. `period.start` is what the contract is told. `price` in the asset is `amount`, by these rates;
 * by `agreedRates` where no attempt could be priced for a week: the last ones that sources had agreed on. `platformFee`:
 * what the operator takes of it.
 */
export const ChargeAttempt = t.intersection(
  [
    strict({
      n: Count,
      k: Count,
      paymentId: PaymentId,
      mandateId: MandateId,
      period: Period,
      price: FiatPrice,
      amount: Stroops,
      rates: t.readonlyArray(Rate),
      why: ChargeReason,
      at: UnixMs,
    }),
    partial({ agreedRates: t.readonlyArray(AgreedRate), platformFee: PlatformFee }),
  ],
  'ChargeAttempt',
)
export type ChargeAttempt = t.TypeOf<typeof ChargeAttempt>

/**
 * How much later than at the time it states a retry is made: secret until then, so that no money can step aside for just
 * that moment. Absent for none.
 */
const retryOffset = partial({ retryOffsetMs: Count })

/**
 * How an attempt ended without money, and what follows, decided by the merchant's policy of that moment. `code` is the
 * network's own word; `includedIn` the ledger that holds the failure, null where nothing was sent or what was sent died.
 * `retryAt`: when it is tried again, of a hard cause when it is looked at again; null where no more is tried.
 * Of a failure that counts: `finalNoticeAt`, when the customer is told for the last time; `overdueAt`, when automatic
 * charging ends unless money comes; `graceUntil`, how long access goes on.
 */
export const ChargeFailure = t.intersection(
  [
    strict({
      n: Count,
      k: Count,
      paymentId: PaymentId,
      outcome: FailureOutcome,
      cause: FailureCause,
      code: orNull(Text),
      includedIn: orNull(LedgerSequence),
      counts: t.boolean,
      failedAt: UnixMs,
      retryAt: orNull(UnixMs),
      finalNoticeAt: orNull(UnixMs),
      overdueAt: orNull(UnixMs),
      graceUntil: orNull(UnixMs),
    }),
    retryOffset,
  ],
  'ChargeFailure',
)
export type ChargeFailure = t.TypeOf<typeof ChargeFailure>

/** What a payment pays for, once it counts: the period, and the anchor that holds from then on. */
const paidPeriod = { n: Count, paymentId: PaymentId, amount: Stroops, ...inLedger, period: Period, anchor: Anchor }

/** What an overdue subscription owes: period `n`, due at `dueAt`, and canceled as unpaid at `cancelAt`. */
export const Invoice = strict(
  { invoiceId: InvoiceId, n: Count, period: Period, dueAt: UnixMs, cancelAt: UnixMs },
  'Invoice',
)
export type Invoice = t.TypeOf<typeof Invoice>

/** On events after which periods stay unpaid for a cause on our side. */
const loss = partial({ lost: LostPeriods })

/**
 * A new price for periods that begin at `effectiveAt` or later, which is at least 30 days after the notice. `needsConsent`:
 * it exceeds the cap of the mandate that counts, or is in another asset, so that the customer has to sign a new mandate.
 */
export const PriceChangeNotice = strict(
  {
    priceChangeId: PriceChangeId,
    price: FiatPrice,
    assetId: AssetId,
    effectiveAt: UnixMs,
    withoutConsent: WithoutConsent,
    needsConsent: t.boolean,
    scheduledAt: UnixMs,
  },
  'PriceChangeNotice',
)
export type PriceChangeNotice = t.TypeOf<typeof PriceChangeNotice>

const announcement = { problem: orNull(FailureCause), at: UnixMs }

/** What happens to a subscription, as its stream holds it. */
export const SubscriptionEvent = facts([
  fact('SubscriptionStarted', strict({ details: SubscriptionDetails, period: Period, anchor: Anchor })),
  // `problem` is what a simulation found wrong.
  fact('TrialEndAnnounced', strict({ endsAt: UnixMs, ...announcement })),
  fact('RenewalAnnounced', strict({ n: Count, renewsAt: UnixMs, ...announcement })),
  // Periods that ended unpaid, from `from` to `to`, both included: they are not charged any more.
  fact('PeriodsForgiven', t.intersection([strict({ from: Count, to: Count, at: UnixMs }), loss])),
  fact('ChargeAttempted', ChargeAttempt),
  // Its payment is open and its intent recorded: the rest comes from the ledger.
  fact('ChargeHandedOver', strict({ paymentId: PaymentId, at: UnixMs })),
  // With an invoice that was settled, the only thing that advances a period. `lost`: what passed before it could be paid.
  fact('ChargeConfirmed', t.intersection([strict({ k: Count, ...paidPeriod }), loss])),
  fact('ChargeFailed', ChargeFailure),
  fact(
    'ChargeDelayed',
    t.intersection([strict({ n: Count, cause: DelayCause, at: UnixMs, retryAt: UnixMs }), retryOffset]),
  ),
  fact(
    'PaymentSetAside',
    strict({ n: Count, paymentId: PaymentId, amount: Stroops, ...inLedger, reason: PaymentAsideReason }),
  ),
  // Too many attempts that reached a ledger within 24 hours. An exception follows.
  fact('AttemptsStopped', strict({ attempts: PositiveCount, at: UnixMs, until: UnixMs })),
  // `by` and `reason`: the operator, as they named themselves, and what they found.
  fact('AttemptsAllowed', t.intersection([strict({ at: UnixMs }), partial({ by: Text, reason: Text })])),
  fact('OperatorAlarmed', strict({ cause: AlarmCause, since: UnixMs, at: UnixMs })),
  fact('RetryRequested', strict({ cause: RetryCause, at: UnixMs })),
  fact('FinalNoticeGiven', strict({ at: UnixMs })),
  // Access that only the time has ended.
  fact('AccessEnded', strict({ at: UnixMs })),
  // `unsettled`: no attempt could settle the charge for a week. The customer owes it, and has failed nothing.
  fact(
    'BecameOverdue',
    t.intersection([strict({ invoice: Invoice, at: UnixMs }), partial({ unsettled: UnsettledCause })]),
  ),
  fact('InvoiceSettled', t.intersection([strict({ invoiceId: InvoiceId, ...paidPeriod }), loss])),
  // `unsettled`, as above: by the merchant's policy, and not by a request.
  fact('Paused', t.intersection([strict({ at: UnixMs }), partial({ unsettled: UnsettledCause, lost: LostPeriods })])),
  fact('ResumeRequested', strict({ at: UnixMs })),
  // `trial` is the rest of an interrupted trial: where it now ends, and the paid periods begin.
  fact('Resumed', strict({ at: UnixMs, trial: orNull(strict({ period: Period, anchor: Anchor })) })),
  fact('ResumeFailed', strict({ cause: ResumeFailureCause, at: UnixMs })),
  fact('CancellationScheduled', strict({ reason: CancellationReason, endsAt: UnixMs, at: UnixMs })),
  fact('CancellationUndone', strict({ at: UnixMs })),
  fact('SubscriptionCanceled', t.intersection([strict({ reason: CancellationReason, canceledAt: UnixMs }), loss])),
  fact('MandateCancellationSent', strict({ mandateId: MandateId, number: PositiveCount, at: UnixMs })),
  fact('MandateEnded', strict({ mandateId: MandateId, by: t.keyof({ customer: null, operator: null }), ...inLedger })),
  // The network was reset, and its contracts with it.
  fact('MandateGone', strict({ mandateId: MandateId, at: UnixMs })),
  // The customer has ended the mandate that counts, on the ledger.
  fact('AuthorizationRevoked', strict({ mandateId: MandateId, ...inLedger })),
  // `reference` stands for it on the ledger; without one, from earlier versions, its id does.
  fact(
    'AuthorizationRequested',
    t.intersection([
      strict({ authorizationId: AuthorizationId, kind: AuthorizationKind, why: AuthorizationReason, at: UnixMs }),
      partial({ reference: Reference }),
    ]),
  ),
  // A transaction for it is handed out that makes the mandate in another contract than the one that counts.
  fact('AuthorizationOffered', strict({ authorizationId: AuthorizationId, contract: ContractId, at: UnixMs })),
  // It is not asked for any more. A mandate that was signed for it within minutes still counts.
  fact('AuthorizationWithdrawn', strict({ authorizationId: AuthorizationId, at: UnixMs })),
  // `assetId`: of its token, where that is another one than before.
  fact(
    'MandateReplaced',
    t.intersection([
      strict({ authorizationId: AuthorizationId, mandate: Mandate, ...inLedger }),
      partial({ assetId: AssetId }),
    ]),
  ),
  fact('AllowanceSeen', strict({ mandateId: MandateId, approval: Approval })),
  fact('ExpiryAnnounced', strict({ expiresAt: UnixMs, at: UnixMs })),
  // From the next charge on. The anchor is another one where the interval is.
  fact('ProductSwapped', strict({ terms: SubscriptionTerms, anchor: Anchor, at: UnixMs })),
  // It waits for the mandate that `authorizationId` asks for.
  fact('SwapPending', strict({ terms: SubscriptionTerms, authorizationId: AuthorizationId, at: UnixMs })),
  fact('SwapDropped', strict({ at: UnixMs })),
  fact('PriceChangeAnnounced', strict({ notice: PriceChangeNotice, at: UnixMs })),
  // By a mandate that allows the new price, in its asset.
  fact('PriceChangeAccepted', strict({ priceChangeId: PriceChangeId, at: UnixMs })),
  // From the next charge on.
  fact('PriceChanged', strict({ priceChangeId: PriceChangeId, terms: SubscriptionTerms, at: UnixMs })),
  // Without consent the old price stays, or the subscription ends, as the merchant has chosen.
  fact('PriceChangeRefused', strict({ priceChangeId: PriceChangeId, outcome: WithoutConsent, at: UnixMs })),
  fact('PriceChangeDropped', strict({ priceChangeId: PriceChangeId, why: PriceChangeEnd, at: UnixMs })),
  fact('MetadataChanged', strict({ metadata: MetadataText })),
])
export type SubscriptionEvent = t.TypeOf<typeof SubscriptionEvent>
