import {
  Channel,
  Checkout,
  Credits,
  Customer,
  type CustomerEvent,
  Exception,
  type ExceptionEvent,
  Freezes,
  Funding,
  Intent,
  InvoiceSession,
  LedgerIngestion,
  LedgerTransaction,
  LogHistory,
  Merchant,
  Payment,
  Payout,
  PayoutBook,
  PayoutDestination,
  Product,
  type ProductEvent,
  Refund,
  type RefundEvent,
  Reservation,
  Subscription,
  type UnixMs,
  Webhook,
} from '@quittance/domain'
import { creditsFacts } from './credits-facts.ts'
import { keep, soldAs } from './memory.ts'
import { checkoutFacts, invoiceFacts, paymentFacts } from './payment-facts.ts'
import {
  allOf,
  nothing,
  type Publication,
  type Publisher,
  publish,
  publisherByType,
  publisherOf,
  remember,
  silent,
} from './publication.ts'
import { subscriptionPublisher } from './subscription-facts.ts'

/** With a customer, its wallets and access are deleted: that is one fact. */
const customerFacts = (event: CustomerEvent, id: string): Publication => {
  switch (event.type) {
    case 'CustomerCreated':
      return publish('customer.created', id)
    case 'CustomerUpdated':
    case 'WalletProven':
      return publish('customer.updated', id)
    case 'CustomerDeleted':
      return publish('customer.deleted', id)
    case 'WalletLinked':
      return publish('payment_method.created', event.data.walletId)
    case 'WalletUnlinked':
      return publish('payment_method.deleted', event.data.walletId)
    case 'EmailForfeited':
      return nothing
  }
}

const productFacts = (event: ProductEvent, id: string): Publication => {
  switch (event.type) {
    case 'ProductCreated':
      return allOf(publish('product.created', id), remember(keep(soldAs, id, event.data.productType)))
    case 'ProductDetailsChanged':
    case 'ProductRepriced':
    case 'ProductRestored':
      return publish('product.updated', id)
    case 'ProductArchived':
      return publish('product.archived', id)
  }
}

/** The merchant has time to cancel what waits, also if its wait begins again. */
const refundFacts = (event: RefundEvent, id: string): Publication => {
  switch (event.type) {
    case 'RefundRequested':
      return allOf(publish('refund.created', id), waits(event.data) ? publish('refund.waiting', id) : nothing)
    case 'RefundPostponed':
      return publish('refund.waiting', id)
    case 'RefundSucceeded':
      return publish('refund.succeeded', id)
    case 'RefundFailed':
      return publish('refund.failed', id)
    case 'RefundWaitEnded':
      return nothing
  }
}

const exceptionFacts = (event: ExceptionEvent, id: string): Publication => {
  switch (event.type) {
    case 'ExceptionOpened':
      return publish('exception.opened', id)
    case 'ReturnStarted':
      return waits(event.data) ? publish('exception.return_waiting', id) : nothing
    case 'ReturnPostponed':
      return publish('exception.return_waiting', id)
    case 'ExceptionResolved':
      return publish('exception.resolved', id)
    case 'ExceptionLeftToPerson':
    case 'ReturnWaitEnded':
    case 'ReturnFailed':
    case 'ExceptionReturned':
    case 'ApplicationStarted':
      return nothing
  }
}

const waits = ({ sendsAt }: { readonly sendsAt?: UnixMs }): boolean => sendsAt !== undefined

/** The publisher of every category; some categories stay private. */
export const publishers: ReadonlyMap<string, Publisher> = new Map([
  publisherOf(Customer, customerFacts),
  publisherOf(Product, productFacts),
  publisherOf(Checkout, checkoutFacts),
  publisherOf(InvoiceSession, invoiceFacts),
  publisherOf(Payment, paymentFacts),
  publisherOf(Credits, creditsFacts),
  [Subscription.category, subscriptionPublisher],
  publisherOf(Refund, refundFacts),
  publisherByType(Payout, {
    PayoutRequested: 'payout.created',
    PayoutCanceled: 'payout.canceled',
    PayoutSucceeded: 'payout.succeeded',
    PayoutFailed: 'payout.failed',
  }),
  publisherByType(PayoutDestination, {
    PayoutDestinationRegistered: 'payout_destination.created',
    PayoutDestinationProven: 'payout_destination.verified',
    PayoutDestinationRemoved: 'payout_destination.deleted',
  }),
  silent(PayoutBook, {
    PayoutClaimed: null,
    PayoutClaimEnded: null,
    PayoutScheduleSet: null,
    PayoutScheduleRemoved: null,
    PayoutSkipped: null,
  }),
  publisherOf(Exception, exceptionFacts),
  publisherByType(Webhook, {
    WebhookCreated: null,
    WebhookChanged: null,
    WebhookDisabled: 'webhook.disabled',
    WebhookEnabled: null,
    WebhookSecretRotated: null,
    WebhookDeleted: null,
  }),
  silent(Merchant, {
    MerchantCreated: null,
    SettlementAccountSet: null,
    AssetsAccepted: null,
    FundingAccountsDeclared: null,
    SetUpCompleted: null,
    SetUpRequested: null,
    SponsorshipSet: null,
    PolicySet: null,
    ApiKeyCreated: null,
    ApiKeyReplaced: null,
    ApiKeyRevoked: null,
  }),
  silent(Funding, { FundingAnnounced: null, FundingReceived: null, OwnMovementBooked: null }),
  silent(Reservation, { Claimed: null, TakenOver: null, Released: null }),
  silent(Intent, {
    IntentRecorded: null,
    IntentAttached: null,
    IntentDetached: null,
    IntentSettled: null,
    IntentRefused: null,
    IntentGivenUp: null,
    IntentReported: null,
  }),
  silent(Channel, { SequenceTaken: null, SequenceFreed: null, SequenceUsed: null }),
  silent(LedgerTransaction, {
    TransactionPrepared: null,
    TransactionReleased: null,
    TransactionWithdrawn: null,
    FeeBumped: null,
    FeeBumpFailed: null,
    SubmissionRefused: null,
    TransactionSucceeded: null,
    TransactionFailed: null,
    OperationReassigned: null,
    TransactionDied: null,
    TransactionDecided: null,
    TransactionClosed: null,
  }),
  silent(LedgerIngestion, { FollowingResumed: null, TransactionLeftUncounted: null }),
  silent(Freezes, { Frozen: null, Unfrozen: null, MerchantClosingBegun: null }),
  silent(LogHistory, { LogRollbackFound: null, ForgottenTransactionFound: null, LogAccepted: null }),
])
