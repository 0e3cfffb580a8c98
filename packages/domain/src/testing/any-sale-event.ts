import fc from 'fast-check'
import type { CheckoutEvent, CheckoutPrice } from '../checkout/index.ts'
import type { ExceptionEvent } from '../exception/index.ts'
import type { LedgerIngestionEvent } from '../ledger-ingestion/index.ts'
import type { PaymentEvent } from '../payment/index.ts'
import { accountSequence } from '../shared/account-sequence.ts'
import * as id from '../shared/ids.ts'
import { contractOf } from './account.ts'
import { type ByType, event } from './any-event.ts'
import * as some from './arbitraries.ts'

const { orNothing } = some
const anyPrice: fc.Arbitrary<CheckoutPrice> = fc.oneof(
  some.record({ _tag: fc.constant('fiat' as const), currency: some.anyCurrency, cents: some.anyCents }),
  some.record({ _tag: fc.constant('asset' as const), stroops: some.anyStroops }),
)
const anyRate = some.record({ source: some.anyText, pair: some.anyText, rate: some.anyText, observedAt: some.anyTime })
const anyPaymentId = some.anyId(id.PaymentId)
const settling = { transactionHash: some.anyTransactionHash, ledger: some.anyLedger }

const anyContract = fc.nat({ max: 255 }).map(contractOf)
const anyMandate = { mandateId: some.anyMandateId, contract: anyContract }
const anyInterval = fc.constantFrom('day', 'week', 'month', 'year')

const anyTerms = some.record({ url: some.anyUrl, version: some.anyText })
const checkoutEvents: ByType<CheckoutEvent> = {
  CheckoutCreated: event(
    'CheckoutCreated',
    fc
      .tuple(
        some.record({
          kind: fc.constantFrom('product', 'direct'),
          productId: orNothing(some.anyId(id.ProductId)),
          priceVersion: orNothing(some.anyPositive),
          customerId: orNothing(some.anyId(id.CustomerId)),
          price: anyPrice,
          assetId: some.anyAsset,
          destination: some.anyAccount,
          redirectUrl: orNothing(some.anyUrl),
          description: orNothing(some.anyText),
          metadata: some.anyMetadata,
          underpaymentTolerance: some.anyStroops,
          expiresAt: some.anyTime,
        }),
        some.partial({
          subscription: some.record({
            interval: anyInterval,
            intervalCount: some.anyPositive,
            trialDays: some.anyCount,
          }),
          reference: some.anyId(id.Reference),
          isCustomerNamed: fc.constant(true as const),
          terms: anyTerms,
          platformFee: some.anyPlatformFee,
        }),
      )
      .map(([details, more]) => ({ ...details, ...more })),
  ),
  QuoteIssued: event(
    'QuoteIssued',
    some.record({
      ordinal: some.anyPositive,
      amount: some.anyStroops,
      validFrom: some.anyTime,
      validUntil: some.anyTime,
      excessFloor: orNothing(some.anyStroops),
      rates: fc.array(anyRate, { maxLength: 4 }),
    }),
  ),
  CustomerAttached: event('CustomerAttached', some.record({ customerId: some.anyId(id.CustomerId) })),
  MandateOffered: event(
    'MandateOffered',
    some.record({
      ...anyMandate,
      customer: some.anyAccount,
      payee: some.anyAccount,
      operator: some.anyAccount,
      token: anyContract,
      cap: some.anyStroops,
      interval: anyInterval,
      intervalCount: some.anyPositive,
      firstChargeAt: some.anyTime,
      firstAmount: some.anyStroops,
      assetId: some.anyAsset,
      trialDays: some.anyCount,
      quote: some.anyPositive,
      allowance: some.anyStroops,
      allowanceExpiryLedger: some.anyLedger,
      transactionHash: some.anyTransactionHash,
      accountSequence: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(accountSequence),
      maxTime: some.anyTime,
      envelopeXdr: some.anyText,
    }),
  ),
  EnrolmentSeen: event(
    'EnrolmentSeen',
    some.record({
      ...anyMandate,
      ...settling,
      closedAt: some.anyTime,
      offered: some.anyTransactionHash,
      wallet: some.anyAccount,
      trialDays: some.anyCount,
      subscriptionId: some.anyId(id.SubscriptionId),
    }),
  ),
  EnrolmentRefused: event(
    'EnrolmentRefused',
    some.record({
      ...anyMandate,
      ...settling,
      closedAt: some.anyTime,
      reason: fc.constantFrom(
        'not_offered',
        'already_enrolled',
        'already_subscribed',
        'session_over',
        'trial_taken',
        'unpaid',
        'stale_price',
      ),
    }),
  ),
  TransactionSubmitted: event(
    'TransactionSubmitted',
    some.recordWith(
      { transactionHash: some.anyTransactionHash, maxTime: some.anyTime, paymentId: anyPaymentId },
      { envelopeXdr: some.anyText },
    ),
  ),
  TransactionDied: event('TransactionDied', some.record({ transactionHash: some.anyTransactionHash })),
  PaymentAttemptFailed: event('PaymentAttemptFailed', some.record({ paymentId: anyPaymentId })),
  CreditAccepted: event('CreditAccepted', some.record({ credit: some.anyCredit, paymentId: anyPaymentId })),
  CreditSetAside: event(
    'CreditSetAside',
    some.record({
      credit: some.anyCredit,
      reason: fc.constantFrom('wrong_asset', 'paid_twice', 'late', 'after_failure', 'authorization_failed'),
    }),
  ),
  CheckoutSettled: event(
    'CheckoutSettled',
    some.record({
      paymentId: anyPaymentId,
      amountDue: some.anyStroops,
      received: some.anyStroops,
      excess: some.anyStroops,
      overpaid: some.anyStroops,
      late: fc.boolean(),
      ...settling,
      closedAt: some.anyTime,
    }),
  ),
  CheckoutCompleted: event(
    'CheckoutCompleted',
    some.recordWith({ paymentId: anyPaymentId, completedAt: some.anyTime }, { terms: anyTerms }),
  ),
  CheckoutCompletedUnpaid: event(
    'CheckoutCompletedUnpaid',
    some.recordWith({ completedAt: some.anyTime }, { terms: anyTerms }),
  ),
  CheckoutExpired: event('CheckoutExpired', some.record({ endedAt: some.anyTime })),
  CheckoutFailed: event(
    'CheckoutFailed',
    some.record({
      reason: fc.constantFrom(
        ...([
          'underpaid',
          'wrong_asset',
          'authorization_failed',
          'product_unavailable',
          'paid_otherwise',
          'not_owed',
        ] as const),
      ),
      paymentId: orNothing(anyPaymentId),
      endedAt: some.anyTime,
    }),
  ),
}
export const anyCheckoutEvent: fc.Arbitrary<CheckoutEvent> = fc.oneof(...Object.values(checkoutEvents))

const paymentEvents: ByType<PaymentEvent> = {
  PaymentOpened: event(
    'PaymentOpened',
    some.recordWith(
      {
        checkoutId: some.anyId(id.CheckoutId),
        customerId: orNothing(some.anyId(id.CustomerId)),
        productId: orNothing(some.anyId(id.ProductId)),
        subscriptionId: orNothing(some.anyId(id.SubscriptionId)),
        assetId: some.anyAsset,
        currencyCode: orNothing(some.anyCurrency),
        amountCents: orNothing(some.anyCents),
        metadata: some.anyMetadata,
        cause: fc.constantFrom('submission', 'credit', 'renewal'),
      },
      { period: some.anyCount, amountDue: some.anyStroops, platformFee: some.anyPlatformFee },
    ),
  ),
  PaymentSubmitted: event(
    'PaymentSubmitted',
    some.record({ transactionHash: some.anyTransactionHash, maxTime: some.anyTime }),
  ),
  PaymentCredited: event('PaymentCredited', some.record({ credit: some.anyCredit })),
  PaymentConfirmed: event(
    'PaymentConfirmed',
    some.recordWith(
      {
        amount: some.anyStroops,
        excess: some.anyStroops,
        overpaid: some.anyStroops,
        late: fc.boolean(),
        ...settling,
        confirmedAt: some.anyTime,
        walletId: orNothing(some.anyId(id.WalletId)),
        payer: some.anyAccount,
        billingDetails: orNothing(some.anySealed),
      },
      { platformFee: some.record({ assetId: some.anyAsset, amount: some.anyStroops }) },
    ),
  ),
  PaymentFailed: event(
    'PaymentFailed',
    some.recordWith(
      {
        reason: fc.constantFrom('transaction_dead', 'underpaid', 'charge_refused', 'not_sent'),
        failedAt: some.anyTime,
      },
      { code: some.anyText },
    ),
  ),
  RefundClaimed: event(
    'RefundClaimed',
    some.recordWith(
      {
        refundId: some.anyId(id.RefundId),
        destination: some.anyAccount,
        reason: orNothing(some.anyText),
        metadata: some.anyMetadata,
        claimedAt: some.anyTime,
      },
      { amount: some.anyStroops, destinationMuxedId: some.anyMuxedId, sendsAt: some.anyTime },
    ),
  ),
  RefundReleased: event('RefundReleased', some.record({ refundId: some.anyId(id.RefundId) })),
  ReturnClaimed: event(
    'ReturnClaimed',
    some.partial({ platformFee: some.record({ assetId: some.anyAsset, amount: some.anyStroops }) }),
  ),
  PaymentRefunded: event(
    'PaymentRefunded',
    some.record({ refundId: some.anyId(id.RefundId), refundedAt: some.anyTime }),
  ),
}
export const anyPaymentEvent: fc.Arbitrary<PaymentEvent> = fc.oneof(...Object.values(paymentEvents))

const anyExceptionDetails = fc
  .tuple(
    some.record({
      kind: fc.constantFrom(
        'underpaid',
        'overpaid',
        'late',
        'paid_twice',
        'wrong_asset',
        'after_failure',
        'authorization_failed',
        'unmatched',
        'dust',
        // Often: a read model holds these alone.
        'unexplained',
        'unexplained',
        'unexplained',
      ),
      assetId: some.anyAsset,
      amount: some.anyStroops,
      ...settling,
      operationIndex: some.anyOperationIndex,
      from: some.anyAccount,
      checkoutId: orNothing(some.anyId(id.CheckoutId)),
      paymentId: orNothing(anyPaymentId),
      closedAt: some.anyTime,
    }),
    some.partial({
      ordinal: some.anyOrdinal,
      paidTo: fc.array(
        some.recordWith(
          { operationIndex: some.anyOperationIndex, destination: some.anyAccount, amount: some.anyStroops },
          { destinationMuxedId: some.anyMuxedId },
        ),
        { maxLength: 2 },
      ),
      origin: some.anyOrigin,
      memo: some.record({ type: fc.constantFrom('text', 'id', 'hash', 'return'), value: some.anyText }),
      appliedFrom: some.anyId(id.ExceptionId),
      account: some.anyAccount,
      mandateId: some.anyMandateId,
      change: some.record({
        account: some.anyAccount,
        direction: fc.constantFrom('gain', 'loss'),
        movements: fc.array(some.anyText, { maxLength: 3 }),
      }),
    }),
  )
  .map(([details, more]) => ({ ...details, ...more }))

const anyUndecidedReason = fc.constantFrom('sender_unknown', 'destination_full', 'not_sent')
const anyReturn = { returnId: some.anyId(id.ReturnId) }
const anyDecision = { actor: some.anyText, note: orNothing(some.anyText) }

const exceptionEvents: ByType<ExceptionEvent> = {
  ExceptionOpened: event('ExceptionOpened', anyExceptionDetails),
  ExceptionLeftToPerson: event('ExceptionLeftToPerson', some.record({ reason: anyUndecidedReason })),
  ReturnStarted: event(
    'ReturnStarted',
    some.recordWith(
      {
        ...anyReturn,
        destination: some.anyAccount,
        destinationMuxedId: orNothing(some.anyMuxedId),
        startedAt: some.anyTime,
        ...anyDecision,
      },
      { sendsAt: some.anyTime },
    ),
  ),
  ReturnPostponed: event('ReturnPostponed', some.record({ ...anyReturn, sendsAt: some.anyTime })),
  ReturnWaitEnded: event('ReturnWaitEnded', some.record(anyReturn)),
  ReturnFailed: event(
    'ReturnFailed',
    some.record({ ...anyReturn, reason: anyUndecidedReason, code: some.anyText, failedAt: some.anyTime }),
  ),
  ExceptionReturned: event('ExceptionReturned', some.record({ ...anyReturn, ...settling, closedAt: some.anyTime })),
  ApplicationStarted: event(
    'ApplicationStarted',
    some.record({
      checkoutId: some.anyId(id.CheckoutId),
      paymentId: anyPaymentId,
      startedAt: some.anyTime,
      ...anyDecision,
    }),
  ),
  HoldReleased: event('HoldReleased', some.record({ at: some.anyTime, ...anyDecision })),
  HoldKept: event('HoldKept', some.record({ at: some.anyTime, ...anyDecision })),
  ExceptionResolved: event(
    'ExceptionResolved',
    some.record({ action: fc.constantFrom('refund', 'apply', 'accept'), resolvedAt: some.anyTime, ...anyDecision }),
  ),
}
export const anyExceptionEvent: fc.Arbitrary<ExceptionEvent> = fc.oneof(...Object.values(exceptionEvents))

const anyComparison = some.record({
  asOf: some.anyLedger,
  compared: some.anyCount,
  differing: some.anyCount,
  differences: fc.array(
    some.record({
      account: some.anyAccount,
      assetId: some.anyAsset,
      counted: some.anyStroops,
      held: orNothing(some.anyStroops),
    }),
    { maxLength: 3 },
  ),
})

const anyLedgerPoint = some.record({ ledger: some.anyLedger, closedAt: some.anyTime })
const ingestionEvents: ByType<LedgerIngestionEvent> = {
  FollowingResumed: event(
    'FollowingResumed',
    some.record({
      walkedTo: some.anyLedger,
      from: some.anyLedger,
      closedAt: some.anyTime,
      by: some.anyText,
      reason: some.anyText,
      halted: orNothing(some.record({ reason: some.anyText, ledger: some.anyLedger })),
      comparison: anyComparison,
    }),
  ),
  TransactionLeftUncounted: event(
    'TransactionLeftUncounted',
    some.record({
      transactionHash: some.anyTransactionHash,
      checkoutId: some.anyId(id.CheckoutId),
      paymentId: anyPaymentId,
      includedIn: orNothing(some.anyLedger),
    }),
  ),
  LedgerPassedOver: event(
    'LedgerPassedOver',
    some.record({
      ledger: some.anyLedger,
      hash: some.anyText,
      closedAt: some.anyTime,
      protocol: some.anyCount,
      cause: some.anyText,
    }),
  ),
  TransactionsPassedOver: event(
    'TransactionsPassedOver',
    some.record({
      ledger: some.anyLedger,
      hash: some.anyText,
      closedAt: some.anyTime,
      protocol: some.anyCount,
      cause: some.anyText,
      count: some.anyCount,
      transactions: fc.array(some.anyTransactionHash, { maxLength: 2 }),
    }),
  ),
  PassedOverCompared: event('PassedOverCompared', some.record({ through: some.anyLedger, comparison: anyComparison })),
  NetworkResetFound: event(
    'NetworkResetFound',
    some.record({
      evidence: fc.constantFrom('ledger_went_back', 'other_hash'),
      ingested: anyLedgerPoint,
      found: anyLedgerPoint,
      at: some.anyTime,
    }),
  ),
  NetworkResetDisproved: event('NetworkResetDisproved', some.record({ at: some.anyTime })),
  NetworkResetBegun: event(
    'NetworkResetBegun',
    some.recordWith(
      {
        epoch: some.anyPositive,
        ended: anyLedgerPoint,
        by: some.anyText,
        reason: some.anyText,
        at: some.anyTime,
      },
      { isForced: fc.constant(true as const) },
    ),
  ),
  NetworkResetCompleted: event(
    'NetworkResetCompleted',
    some.record({ epoch: some.anyPositive, begins: anyLedgerPoint, at: some.anyTime }),
  ),
}
export const anyLedgerIngestionEvent: fc.Arbitrary<LedgerIngestionEvent> = fc.oneof(...Object.values(ingestionEvents))
