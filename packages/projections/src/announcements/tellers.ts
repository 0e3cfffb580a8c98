import {
  Channel,
  Checkout,
  Credits,
  Customer,
  type CustomerEvent,
  Exception,
  Funding,
  Intent,
  InvoiceSession,
  LedgerFollowing,
  LedgerTransaction,
  Merchant,
  Payment,
  Payout,
  PayoutBook,
  PayoutDestination,
  Product,
  type ProductEvent,
  Refund,
  Reservation,
  Subscription,
  Webhook,
} from '@quittance/domain'
import { creditsFacts } from './credits-facts.ts'
import { keep, soldAs } from './memory.ts'
import { checkoutFacts, invoiceFacts, paymentFacts } from './payment-facts.ts'
import { subscriptionTeller } from './subscription-facts.ts'
import { both, nothing, plainTeller, silent, type Teller, type Telling, tell, teller } from './told.ts'

/** A customer that is deleted takes wallets and access along: that is one fact. */
const customerFacts = (event: CustomerEvent, id: string): Telling => {
  switch (event.type) {
    case 'CustomerCreated':
      return tell('customer.created', id)
    case 'CustomerUpdated':
      return tell('customer.updated', id)
    case 'CustomerDeleted':
      return tell('customer.deleted', id)
    case 'WalletLinked':
      return tell('payment_method.created', event.data.walletId)
    case 'WalletUnlinked':
      return tell('payment_method.deleted', event.data.walletId)
    case 'EmailForfeited':
      return nothing
  }
}

const productFacts = (event: ProductEvent, id: string): Telling => {
  switch (event.type) {
    case 'ProductCreated':
      return both(tell('product.created', id), { told: [], kept: [keep(soldAs, id, event.data.productType)] })
    case 'ProductDetailsChanged':
    case 'ProductRepriced':
    case 'ProductRestored':
      return tell('product.updated', id)
    case 'ProductArchived':
      return tell('product.archived', id)
  }
}

/** What there is to tell of the events of every category; of some, nobody is told. */
export const tellers: ReadonlyMap<string, Teller> = new Map([
  teller(Customer, customerFacts),
  teller(Product, productFacts),
  teller(Checkout, checkoutFacts),
  teller(InvoiceSession, invoiceFacts),
  teller(Payment, paymentFacts),
  teller(Credits, creditsFacts),
  [Subscription.category, subscriptionTeller],
  plainTeller(Refund, {
    RefundRequested: 'refund.created',
    RefundSucceeded: 'refund.succeeded',
    RefundFailed: 'refund.failed',
  }),
  plainTeller(Payout, {
    PayoutRequested: 'payout.created',
    PayoutCanceled: 'payout.canceled',
    PayoutSucceeded: 'payout.succeeded',
    PayoutFailed: 'payout.failed',
  }),
  plainTeller(PayoutDestination, {
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
  plainTeller(Exception, {
    ExceptionOpened: 'exception.opened',
    ExceptionLeftToPerson: null,
    ReturnStarted: null,
    ReturnFailed: null,
    ExceptionReturned: null,
    ApplicationStarted: null,
    ExceptionResolved: 'exception.resolved',
  }),
  plainTeller(Webhook, {
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
    TransactionDied: null,
    TransactionDecided: null,
    TransactionClosed: null,
  }),
  silent(LedgerFollowing, { FollowingResumed: null, TransactionLeftUncounted: null }),
])
