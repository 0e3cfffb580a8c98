export {
  Channel,
  type ChannelCommand,
  type ChannelRejection,
  ChannelState,
  channelId,
  channelOf,
} from './channel/index.ts'
export {
  amountDue,
  Checkout,
  type CheckoutCommand,
  CheckoutDetails,
  type CheckoutEvent,
  CheckoutFailureReason,
  type CheckoutPrice,
  CheckoutRecord,
  type CheckoutRejection,
  type CheckoutState,
  currentQuote,
  Enrolment,
  type InvoiceEnd,
  MandateOffer,
  type NewQuote,
  offerOf,
  Quote,
  quoteLifetimeMs,
  type Rate,
  type SeenMandate,
  SetAsideReason,
  type SubmittedTransaction,
  SubscriptionPlan,
  settlementOf,
  shownStatus,
  toRecord,
  transactionsInFlight,
} from './checkout/index.ts'
export {
  accountName,
  type BooksOf,
  booksId,
  CreditBalance,
  Credits,
  type CreditsCommand,
  type CreditsEvent,
  type CreditsRejection,
  type CreditsState,
  noCredits,
  periodOf,
  Units,
  units,
  unitsLeft,
} from './credits/index.ts'
export {
  Customer,
  type CustomerCommand,
  type CustomerEvent,
  CustomerRecord,
  type CustomerRejection,
  type CustomerState,
  Wallet,
} from './customer/index.ts'
export {
  Exception,
  type ExceptionCommand,
  ExceptionDetails,
  ExceptionKind,
  ExceptionRecord,
  type ExceptionRejection,
  type ExceptionState,
  MoneyReturn,
  ReceivedMemo,
  UndecidedReason,
} from './exception/index.ts'
export {
  Funding,
  FundingReason,
  FundingRecord,
  type FundingRejection,
  isAsAnnounced,
  OwnMovement,
  ReceivedFunding,
} from './funding/index.ts'
export {
  ChargeAction,
  DetachReason,
  endOf,
  GiveUpReason,
  Intent,
  IntentAction,
  IntentClass,
  type IntentCommand,
  IntentDetails,
  type IntentEnd,
  type IntentEvent,
  IntentRecord,
  type IntentRejection,
  type IntentState,
  isExhausted,
  PaymentAction,
  TrustlineAction,
} from './intent/index.ts'
export { InvoiceSession } from './invoice/index.ts'
export {
  type BalanceComparison,
  isAnySkipped,
  isAnySkippedSince,
  LedgerIngestion,
  type LedgerIngestionRejection,
  type LedgerIngestionState,
  type Resumption,
  type UncountedTransaction,
} from './ledger-ingestion/index.ts'
export {
  endedAs,
  intentAt,
  LedgerTransaction,
  type LedgerTransactionCommand,
  type LedgerTransactionRejection,
  type LedgerTransactionState,
  reassigned,
  TransactionDecision,
  TransactionDetails,
  type TransactionEnd,
  WithdrawReason,
} from './ledger-transaction/index.ts'
export {
  type AcceptedThrough,
  type ForgottenTransaction,
  isAccepted as isLossAccepted,
  type LogAcceptance,
  LogHistory,
  type LogHistoryCommand,
  type LogHistoryState,
  LogMark,
} from './log-history/index.ts'
export {
  AcceptedAsset,
  ApiKey,
  defaultPolicy,
  Merchant,
  type MerchantCommand,
  type MerchantEvent,
  type MerchantRejection,
  type MerchantState,
  OpeningBalance,
  Policy,
  trustedAssets,
  UnknownLumens,
} from './merchant/index.ts'
export {
  liveRefund,
  Payment,
  type PaymentCommand,
  PaymentConfirmation,
  PaymentDetails,
  type PaymentEvent,
  PaymentRecord,
  type PaymentRejection,
  type PaymentState,
} from './payment/index.ts'
export {
  Payout,
  type PayoutCommand,
  PayoutFailureReason,
  PayoutRecord,
  type PayoutState,
  PayoutTarget,
} from './payout/index.ts'
export {
  lastDue,
  nextDue,
  PayoutBook,
  type PayoutBookRejection,
  PayoutBookState,
  PayoutClaim,
  PayoutInterval,
  PayoutSchedule,
  Weekday,
} from './payout-book/index.ts'
export {
  PayoutDestination,
  PayoutDestinationRecord,
  type PayoutDestinationRejection,
} from './payout-destination/index.ts'
export {
  Product,
  ProductDetails,
  type ProductEvent,
  ProductRecord,
  type ProductRejection,
  type ProductState,
  ProductType,
  problemWithTrial,
  RecurringPeriod,
  type TrialRejection,
} from './product/index.ts'
export {
  Refund,
  type RefundCommand,
  RefundDetails,
  RefundFailureReason,
  RefundRecord,
  type RefundState,
} from './refund/index.ts'
export { Reservation, type ReservationRejection, type ReservationState } from './reservation/index.ts'
export { AccountSequence, accountSequence } from './shared/account-sequence.ts'
export type { Aggregate } from './shared/aggregate.ts'
export { AccountId, AssetId, assetCode, ContractId, issuerOf } from './shared/asset.ts'
export { Cents, cents, decimalFromCents } from './shared/cents.ts'
export { CurrencyCode, supportedCurrencies } from './shared/currency.ts'
export type { Decider } from './shared/decider.ts'
export { Environment } from './shared/environment.ts'
export { isSame } from './shared/equality.ts'
export {
  ApiKeyId,
  AuthorizationId,
  CheckoutId,
  CreditTransactionId,
  CustomerId,
  DeliveryId,
  EventId,
  ExceptionId,
  FundingId,
  IntentId,
  InvoiceId,
  idBoundary,
  idTime,
  MandateEndId,
  MerchantId,
  makeId,
  PaymentId,
  PayoutDestinationId,
  PayoutId,
  ProductId,
  Reference,
  RefundId,
  ReturnId,
  SetUpId,
  SubscriptionId,
  WalletId,
  WebhookId,
} from './shared/ids.ts'
export {
  IncomingPayment,
  IncomingPaymentKind,
  IncomingPaymentOrdinal,
  IncomingPaymentOrigin,
  IncomingPaymentSum,
  isBroughtBy,
  isSameIncomingPayment,
  LedgerSequence,
  MuxedId,
  OperationIndex,
  TransactionHash,
} from './shared/incoming-payment.ts'
export type { Json, JsonObject } from './shared/json.ts'
export { MandateId } from './shared/mandate-id.ts'
export { Memo, MemoId } from './shared/memo.ts'
export { type MetadataRejection, MetadataText, mergeMetadata, metadataValues, noMetadata } from './shared/metadata.ts'
export { type PriceInput, type PriceRejection, readAssetPrice, readPrice } from './shared/price.ts'
export type { EventContext, EventMetadata, NewEvent, RecordedEvent } from './shared/recorded.ts'
export { KeyedHash, Sealed } from './shared/sealed.ts'
export {
  decimalFromStroops,
  formatAmount,
  maximumStroops,
  Stroops,
  stroops,
  stroopsFromDecimal,
} from './shared/stroops.ts'
export { entryOf, groupsOf } from './shared/sum-incoming-payments.ts'
export { asText, HttpUrl, Text } from './shared/text.ts'
export {
  Count,
  count,
  dayMs,
  hourMs,
  minuteMs,
  PositiveCount,
  positiveCount,
  secondMs,
  UnixMs,
  unixMs,
} from './shared/units.ts'
export { wrongPlaces } from './shared/wrong-places.ts'
export {
  type AlarmCause,
  type Approval,
  type CertainRefusal,
  type Cycle,
  chargeDueAt,
  dueAt,
  type Entitlement,
  entitlementAt,
  FailureCause,
  type FiatPrice,
  indexAt,
  invoiceEnd,
  type NextCharge,
  nextChargeAt,
  nextPeriodStart,
  nextStep,
  Period,
  Subscription,
  type SubscriptionCommand,
  SubscriptionDetails,
  type SubscriptionEvent,
  SubscriptionRecord,
  type SubscriptionRejection,
  type SubscriptionState,
  type SubscriptionStatus,
  type SubscriptionStep,
  SubscriptionTerms,
  stopAt,
  stuckFor,
} from './subscription/index.ts'
export {
  type AllowedUrls,
  type DisabledReason,
  type EventResource,
  EventType,
  type EventTypeOf,
  eventSelectors,
  isEventOf,
  isLoopbackHost,
  isSelected,
  Webhook,
  type WebhookChanges,
  type WebhookCommand,
  WebhookDetails,
  WebhookRecord,
  type WebhookRejection,
} from './webhook/index.ts'
