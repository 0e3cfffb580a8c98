import {
  Channel,
  Checkout,
  Credits,
  Customer,
  type CustomerEvent,
  CustomerMerges,
  Exception,
  type ExceptionEvent,
  Freezes,
  Funding,
  Holds,
  Intent,
  InvoiceSession,
  LedgerIngestion,
  LedgerTransaction,
  Limits,
  type LimitsEvent,
  LogHistory,
  LogTransparency,
  Merchant,
  Migrations,
  OutflowApproval,
  Payment,
  Payout,
  PayoutBook,
  PayoutDestination,
  PriceChange,
  Product,
  type ProductEvent,
  Refund,
  type RefundEvent,
  Reservation,
  Subscription,
  Team,
  type UnixMs,
  Webhook,
} from '@quittance/domain'
import { customersMerged } from './access-facts.ts'
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
    case 'HoldReleased':
    case 'HoldKept':
      return nothing
  }
}

/** Everybody hears of a limit that is changed: a raise could be a thief's. The stream's id begins with the merchant's. */
const limitsFacts = (event: LimitsEvent, id: string): Publication =>
  event.type === 'LimitSet' ? publish('limits.changed', id.slice(0, id.indexOf('/'))) : nothing

const waits = ({ sendsAt }: { readonly sendsAt?: UnixMs }): boolean => sendsAt !== undefined

/** The publisher of every category; some categories stay private. */
export const publishers: ReadonlyMap<string, Publisher> = new Map([
  publisherOf(Customer, customerFacts),
  publisherOf(CustomerMerges, ({ data }, _, recall) => customersMerged(recall, data)),
  publisherOf(Product, productFacts),
  publisherOf(Checkout, checkoutFacts),
  publisherOf(InvoiceSession, invoiceFacts),
  publisherOf(Payment, paymentFacts),
  publisherOf(Credits, creditsFacts),
  [Subscription.category, subscriptionPublisher],
  publisherByType(PriceChange, {
    PriceChangeScheduled: 'price_change.scheduled',
    PriceChangeNoticed: null,
    PriceChangeCanceled: 'price_change.canceled',
    PriceChangeWithdrawn: null,
  }),
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
  publisherByType(OutflowApproval, {
    ApprovalRequested: 'approval.requested',
    ApprovalGranted: 'approval.approved',
    ApprovalRejected: 'approval.rejected',
    ApprovalExpired: 'approval.expired',
    ApprovalWithdrawn: 'approval.withdrawn',
  }),
  publisherOf(Limits, limitsFacts),
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
    SettlementBooksClosed: null,
    AssetsAccepted: null,
    FundingAccountsDeclared: null,
    SetUpCompleted: null,
    SetUpRequested: null,
    SponsorshipSet: null,
    OperatorAccountSet: null,
    PolicySet: null,
    ProfileSet: null,
    PlatformFeeSet: null,
    LogoSet: null,
    ApiKeyCreated: null,
    ApiKeyReplaced: null,
    ApiKeyRevoked: null,
    MerchantLeft: null,
    MerchantArrived: null,
  }),
  silent(Team, {
    MemberInvited: null,
    MemberJoined: null,
    MemberRoleChanged: null,
    MemberRemoved: null,
    MemberSignedIn: null,
    MemberSignInFailed: null,
    MemberSignedOut: null,
    MemberSecurityChanged: null,
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
  silent(LedgerIngestion, {
    FollowingResumed: null,
    TransactionLeftUncounted: null,
    LedgerPassedOver: null,
    TransactionsPassedOver: null,
    PassedOverCompared: null,
    NetworkResetFound: null,
    NetworkResetDisproved: null,
    NetworkResetBegun: null,
    NetworkResetCompleted: null,
  }),
  silent(Holds, { MoneyHeld: null, HoldDecided: null }),
  silent(Freezes, { Frozen: null, Unfrozen: null, MerchantClosingBegun: null }),
  silent(Migrations, { MigrationBegun: null, MigrationCanceled: null, MigrationCompleted: null }),
  silent(LogTransparency, { TransparencyLogBegun: null, TransparencyKeyRotated: null }),
  silent(LogHistory, { LogRollbackFound: null, ForgottenTransactionFound: null, LogAccepted: null }),
])
