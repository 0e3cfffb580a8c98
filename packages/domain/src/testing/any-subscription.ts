import fc from 'fast-check'
import * as id from '../shared/ids.ts'
import { MandateId } from '../shared/mandate-id.ts'
import type { SubscriptionEvent } from '../subscription/index.ts'
import { contractOf } from './account.ts'
import { type ByType, event } from './any-event.ts'
import * as some from './arbitraries.ts'
import { decoded } from './examples.ts'

const one = fc.constantFrom
const { orNothing } = some
const at = { at: some.anyTime }
const anyPaymentId = some.anyId(id.PaymentId)
const anyAuthorizationId = some.anyId(id.AuthorizationId)
const anyMandateId = some.anyTransactionHash.map((hash) => decoded(MandateId, hash))
const anyContract = fc.nat({ max: 255 }).map(contractOf)
const anyPeriod = some.record({ start: some.anyTime, end: some.anyTime })
const anyAnchor = some.record({ at: some.anyTime, n: some.anyCount })
const anyPrice = some.record({ currency: some.anyCurrency, cents: some.anyCents })
const anyRate = some.record({ source: some.anyText, pair: some.anyText, rate: some.anyText, observedAt: some.anyTime })
const aCycle = { interval: one('day' as const, 'week', 'month', 'year'), intervalCount: some.anyPositive }
const anyTerms = some.record({
  productId: some.anyId(id.ProductId),
  priceVersion: some.anyPositive,
  price: anyPrice,
  ...aCycle,
})
const anyApproval = some.record({
  allowance: some.anyStroops,
  allowanceExpiryLedger: some.anyLedger,
  expiresAt: some.anyTime,
  approvedAt: some.anyTime,
})
const anyMandate = some.record({
  mandateId: anyMandateId,
  contract: anyContract,
  customer: some.anyAccount,
  payee: some.anyAccount,
  operator: some.anyAccount,
  token: anyContract,
  cap: some.anyStroops,
  ...aCycle,
  firstChargeAt: some.anyTime,
  approval: anyApproval,
})
const inLedger = { transactionHash: some.anyTransactionHash, ledger: some.anyLedger, closedAt: some.anyTime }
const anyCause = one('balance_too_low' as const, 'above_cap', 'mandate_ended', 'transaction_dead')
const anyReason = one('requested' as const, 'unpaid', 'revoked', 'customer_deleted', 'price_change')
const aPayment = { n: some.anyCount, paymentId: anyPaymentId, amount: some.anyStroops, ...inLedger }
const anAttempt = { n: some.anyCount, k: some.anyCount, paymentId: anyPaymentId }
const aPaidPeriod = { ...aPayment, period: anyPeriod, anchor: anyAnchor }
const anyTime = orNothing(some.anyTime)
const aLoss = { lost: some.record({ periods: some.anyPositive, price: anyPrice }) }
const aCause = { unsettled: one('no_rate' as const, 'peg_broken', 'charge_failed') }

const ofPriceChange = { priceChangeId: some.anyId(id.PriceChangeId) }

const subscriptionEvents: ByType<SubscriptionEvent> = {
  SubscriptionStarted: event(
    'SubscriptionStarted',
    some.record({
      details: some.record({
        checkoutId: some.anyId(id.CheckoutId),
        customerId: some.anyId(id.CustomerId),
        terms: anyTerms,
        assetId: some.anyAsset,
        mandate: anyMandate,
        trialDays: some.anyCount,
        firstPaymentId: orNothing(anyPaymentId),
        metadata: some.anyMetadata,
        startedAt: some.anyTime,
      }),
      period: anyPeriod,
      anchor: anyAnchor,
    }),
  ),
  TrialEndAnnounced: event(
    'TrialEndAnnounced',
    some.record({ endsAt: some.anyTime, problem: orNothing(anyCause), ...at }),
  ),
  RenewalAnnounced: event(
    'RenewalAnnounced',
    some.record({ n: some.anyCount, renewsAt: some.anyTime, problem: orNothing(anyCause), ...at }),
  ),
  PeriodsForgiven: event('PeriodsForgiven', some.recordWith({ from: some.anyCount, to: some.anyCount, ...at }, aLoss)),
  ChargeAttempted: event(
    'ChargeAttempted',
    some.recordWith(
      {
        ...anAttempt,
        mandateId: anyMandateId,
        period: anyPeriod,
        price: anyPrice,
        amount: some.anyStroops,
        rates: fc.array(anyRate, { maxLength: 3 }),
        why: one('trial_end', 'renewal', 'retry', 'resume'),
        ...at,
      },
      {
        agreedRates: fc.array(some.record({ pair: some.anyText, rate: some.anyText }), { maxLength: 2 }),
        platformFee: some.anyPlatformFee,
      },
    ),
  ),
  ChargeHandedOver: event('ChargeHandedOver', some.record({ paymentId: anyPaymentId, ...at })),
  ChargeConfirmed: event('ChargeConfirmed', some.recordWith({ k: some.anyCount, ...aPaidPeriod }, aLoss)),
  ChargeFailed: event(
    'ChargeFailed',
    some.record({
      ...anAttempt,
      outcome: one('money', 'hard', 'technical'),
      cause: anyCause,
      code: orNothing(some.anyText),
      includedIn: orNothing(some.anyLedger),
      counts: fc.boolean(),
      failedAt: some.anyTime,
      retryAt: anyTime,
      finalNoticeAt: anyTime,
      overdueAt: anyTime,
      graceUntil: anyTime,
    }),
  ),
  ChargeDelayed: event(
    'ChargeDelayed',
    some.record({ n: some.anyCount, cause: one('no_rate', 'cause_stands'), ...at, retryAt: some.anyTime }),
  ),
  PaymentSetAside: event(
    'PaymentSetAside',
    some.record({ ...aPayment, reason: one('paid_twice', 'period_forgiven', 'after_cancellation') }),
  ),
  AttemptsStopped: event('AttemptsStopped', some.record({ attempts: some.anyPositive, ...at, until: some.anyTime })),
  AttemptsAllowed: event('AttemptsAllowed', some.record({ ...at, by: some.anyText, reason: some.anyText })),
  OperatorAlarmed: event(
    'OperatorAlarmed',
    some.record({ cause: one('outcome_unknown', 'charge_stuck'), since: some.anyTime, ...at }),
  ),
  RetryRequested: event(
    'RetryRequested',
    some.record({ cause: one('funded', 'cured', 'authorized', 'demand'), ...at }),
  ),
  FinalNoticeGiven: event('FinalNoticeGiven', some.record(at)),
  AccessEnded: event('AccessEnded', some.record(at)),
  BecameOverdue: event(
    'BecameOverdue',
    some.recordWith(
      {
        invoice: some.record({
          invoiceId: some.anyId(id.InvoiceId),
          n: some.anyCount,
          period: anyPeriod,
          dueAt: some.anyTime,
          cancelAt: some.anyTime,
        }),
        ...at,
      },
      aCause,
    ),
  ),
  InvoiceSettled: event(
    'InvoiceSettled',
    some.recordWith({ invoiceId: some.anyId(id.InvoiceId), ...aPaidPeriod }, aLoss),
  ),
  Paused: event('Paused', some.recordWith(at, { ...aCause, ...aLoss })),
  ResumeRequested: event('ResumeRequested', some.record(at)),
  Resumed: event(
    'Resumed',
    some.record({ ...at, trial: orNothing(some.record({ period: anyPeriod, anchor: anyAnchor })) }),
  ),
  ResumeFailed: event(
    'ResumeFailed',
    some.record({ cause: one('balance_too_low', 'no_rate', 'attempts_stopped', 'paused_again'), ...at }),
  ),
  CancellationScheduled: event(
    'CancellationScheduled',
    some.record({ reason: anyReason, endsAt: some.anyTime, ...at }),
  ),
  CancellationUndone: event('CancellationUndone', some.record(at)),
  SubscriptionCanceled: event(
    'SubscriptionCanceled',
    some.recordWith({ reason: anyReason, canceledAt: some.anyTime }, aLoss),
  ),
  MandateCancellationSent: event(
    'MandateCancellationSent',
    some.record({ mandateId: anyMandateId, number: some.anyPositive, ...at }),
  ),
  MandateGone: event('MandateGone', some.record({ mandateId: some.anyMandateId, at: some.anyTime })),
  MandateEnded: event(
    'MandateEnded',
    some.record({ mandateId: anyMandateId, by: one('customer', 'operator'), ...inLedger }),
  ),
  AuthorizationRevoked: event('AuthorizationRevoked', some.record({ mandateId: anyMandateId, ...inLedger })),
  AuthorizationRequested: event(
    'AuthorizationRequested',
    some.recordWith(
      {
        authorizationId: anyAuthorizationId,
        kind: one('allowance', 'mandate'),
        why: one(
          'charge_failed',
          'foreseen',
          'revoked',
          'swap_above_cap',
          'swap_of_interval',
          'expiring',
          'wallet_change',
          'migration',
          'price_change',
        ),
        ...at,
      },
      { reference: some.anyId(id.Reference) },
    ),
  ),
  AuthorizationOffered: event(
    'AuthorizationOffered',
    some.record({ authorizationId: anyAuthorizationId, contract: anyContract, ...at }),
  ),
  AuthorizationWithdrawn: event('AuthorizationWithdrawn', some.record({ authorizationId: anyAuthorizationId, ...at })),
  MandateReplaced: event(
    'MandateReplaced',
    some.recordWith(
      { authorizationId: anyAuthorizationId, mandate: anyMandate, ...inLedger },
      { assetId: some.anyAsset },
    ),
  ),
  AllowanceSeen: event('AllowanceSeen', some.record({ mandateId: anyMandateId, approval: anyApproval })),
  ExpiryAnnounced: event('ExpiryAnnounced', some.record({ expiresAt: some.anyTime, ...at })),
  ProductSwapped: event('ProductSwapped', some.record({ terms: anyTerms, anchor: anyAnchor, ...at })),
  SwapPending: event('SwapPending', some.record({ terms: anyTerms, authorizationId: anyAuthorizationId, ...at })),
  SwapDropped: event('SwapDropped', some.record(at)),
  PriceChangeAnnounced: event(
    'PriceChangeAnnounced',
    some.record({
      notice: some.record({
        ...ofPriceChange,
        price: anyPrice,
        assetId: some.anyAsset,
        effectiveAt: some.anyTime,
        withoutConsent: one('keep' as const, 'cancel'),
        needsConsent: fc.boolean(),
        scheduledAt: some.anyTime,
      }),
      ...at,
    }),
  ),
  PriceChangeAccepted: event('PriceChangeAccepted', some.record({ ...ofPriceChange, ...at })),
  PriceChanged: event('PriceChanged', some.record({ ...ofPriceChange, terms: anyTerms, ...at })),
  PriceChangeRefused: event(
    'PriceChangeRefused',
    some.record({ ...ofPriceChange, outcome: one('keep', 'cancel'), ...at }),
  ),
  PriceChangeDropped: event(
    'PriceChangeDropped',
    some.record({
      ...ofPriceChange,
      why: one('withdrawn', 'superseded', 'plan_changed', 'subscription_ended'),
      ...at,
    }),
  ),
  MetadataChanged: event('MetadataChanged', some.record({ metadata: some.anyMetadata })),
}
export const anySubscriptionEvent: fc.Arbitrary<SubscriptionEvent> = fc.oneof(...Object.values(subscriptionEvents))
