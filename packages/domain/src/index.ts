export {
  Channel,
  type ChannelCommand,
  type ChannelEvent,
  type ChannelRejection,
  type ChannelState,
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
  type CheckoutRejection,
  CheckoutSettlement,
  type CheckoutState,
  currentQuote,
  Enrolment,
  type EnrolmentRefusal,
  MandateOffer,
  type NewQuote,
  Quote,
  quoteLifetimeMs,
  type Rate,
  type SeenMandate,
  type Session,
  SetAsideReason,
  type SubmittedTransaction,
  SubscriptionPlan,
  transactionsInFlight,
  wouldBeginTrial,
} from './checkout/index.ts'
export {
  accountName,
  type BooksOf,
  booksId,
  CreditBalance,
  CreditGrant,
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
  ExceptionAction,
  type ExceptionCommand,
  ExceptionDetails,
  type ExceptionEvent,
  ExceptionKind,
  type ExceptionRejection,
  type ExceptionState,
  MoneyReturn,
  ReceivedMemo,
  UndecidedReason,
  UnexplainedChange,
} from './exception/index.ts'
export {
  ChargeAction,
  DetachReason,
  GiveUpReason,
  Intent,
  IntentAction,
  IntentClass,
  type IntentCommand,
  IntentDetails,
  type IntentEnd,
  type IntentEvent,
  type IntentRejection,
  type IntentState,
  PaymentAction,
} from './intent/index.ts'
export {
  type BalanceComparison,
  type BalanceDifference,
  type FoundHalt,
  isAnySkipped,
  isAnySkippedSince,
  LedgerFollowing,
  type LedgerFollowingCommand,
  type LedgerFollowingEvent,
  type LedgerFollowingRejection,
  type LedgerFollowingState,
  type Resumption,
  type UncountedTransaction,
} from './ledger-following/index.ts'
export {
  BumpFailure,
  endedAs,
  FeeBump,
  LedgerTransaction,
  type LedgerTransactionCommand,
  type LedgerTransactionEvent,
  type LedgerTransactionRejection,
  type LedgerTransactionState,
  SubmissionRefusal,
  TransactionDeath,
  TransactionDecision,
  TransactionDetails,
  type TransactionEnd,
  TransactionFailure,
  TransactionSuccess,
  WithdrawReason,
} from './ledger-transaction/index.ts'
export {
  AcceptedAsset,
  ApiKey,
  defaultPolicy,
  Merchant,
  type MerchantCommand,
  type MerchantEvent,
  type MerchantRejection,
  type MerchantState,
  Policy,
} from './merchant/index.ts'
export {
  liveRefund,
  Payment,
  type PaymentCommand,
  PaymentConfirmation,
  PaymentDetails,
  type PaymentEvent,
  PaymentFailureReason,
  type PaymentRefund,
  type PaymentRejection,
  type PaymentState,
  RefundClaim,
} from './payment/index.ts'
export {
  Product,
  type ProductCommand,
  ProductDetails,
  type ProductEvent,
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
  type RefundEvent,
  RefundFailureReason,
  type RefundRejection,
  RefundSettlement,
  type RefundState,
} from './refund/index.ts'
export {
  Reservation,
  type ReservationCommand,
  type ReservationEvent,
  type ReservationRejection,
  type ReservationState,
} from './reservation/index.ts'
export { AccountSequence, accountSequence } from './shared/account-sequence.ts'
export type { Aggregate } from './shared/aggregate.ts'
export { AccountId, AssetId, assetCode, ContractId, issuerOf } from './shared/asset.ts'
export { Cents, cents, decimalFromCents, maximumCents } from './shared/cents.ts'
export {
  Credit,
  CreditKind,
  CreditOrdinal,
  CreditOrigin,
  isBroughtBy,
  isSameCredit,
  LedgerSequence,
  MuxedId,
  OperationIndex,
  TransactionHash,
} from './shared/credit.ts'
export { type Currency, CurrencyCode, exponentOf, supportedCurrencies } from './shared/currency.ts'
export { CorruptStream, type Decider } from './shared/decider.ts'
export { Environment } from './shared/environment.ts'
export { isSame } from './shared/equality.ts'
export type { EncodedEvent, EventFormat, MalformedEvent } from './shared/event-format.ts'
export {
  ApiKeyId,
  AuthorizationId,
  CheckoutId,
  CreditTransactionId,
  CustomerId,
  DeliveryId,
  EventId,
  ExceptionId,
  IntentId,
  InvoiceId,
  idBoundary,
  idTime,
  MerchantId,
  makeId,
  PaymentId,
  ProductId,
  RefundId,
  ReturnId,
  SubscriptionId,
  WalletId,
  WebhookId,
} from './shared/ids.ts'
export type { Json, JsonObject } from './shared/json.ts'
export { MandateId } from './shared/mandate-id.ts'
export {
  type MetadataRejection,
  MetadataText,
  type MetadataValues,
  mergeMetadata,
  metadataValues,
  noMetadata,
} from './shared/metadata.ts'
export { type PriceField, type PriceInput, type PriceRejection, readAssetPrice, readPrice } from './shared/price.ts'
export type { EventContext, EventMetadata, NewEvent, RecordedEvent } from './shared/recorded.ts'
export { KeyedHash, Sealed } from './shared/sealed.ts'
export {
  type AmountRejection,
  decimalFromStroops,
  formatAmount,
  maximumStroops,
  Stroops,
  stroops,
  stroopsFromDecimal,
} from './shared/stroops.ts'
export { asText, HttpUrl, Text } from './shared/text.ts'
export {
  Count,
  count,
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
  Mandate,
  Period,
  type SubscriptionCommand,
  SubscriptionDetails,
  type SubscriptionEvent,
  type SubscriptionRejection,
  type SubscriptionState,
  SubscriptionTerms,
} from './subscription/index.ts'
export {
  type AllowedUrls,
  type DisabledReason,
  type EventResource,
  EventType,
  type EventTypeOf,
  eventSelectors,
  eventTypes,
  isEventOf,
  isLoopbackHost,
  Webhook,
  type WebhookChanges,
  type WebhookCommand,
  WebhookDetails,
  type WebhookEvent,
  type WebhookRejection,
  type WebhookState,
} from './webhook/index.ts'
