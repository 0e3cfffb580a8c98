/**
 * The codecs of requests and answers.
 *
 * @module @quittance/client/wire
 */

export { AccessResult } from './access.ts'
export { ApiKey, ApiKeyStatus, ApiKeyWithSecret, KeyReplacement, NewApiKey } from './api-key.ts'
export { Approval, ApprovalDecision, ApprovalStatus, Limits, NewLimit } from './approval.ts'
export { Asset } from './asset.ts'
export { Checkout, CheckoutStatus, NewDirectCheckout, NewProductCheckout } from './checkout.ts'
export {
  DocumentedType,
  described,
  type JsonSchema,
  NullableType,
  OptionalType,
  optional,
  orNull,
  SchemaType,
  says,
  unchanged,
  withDefault,
} from './codecs.ts'
export { Consumption, CreditBalance, CreditTransaction } from './credits.ts'
export {
  ChangedCustomer,
  Customer,
  CustomerMerge,
  CustomerMergeRequest,
  NewCustomer,
  NewCustomers,
} from './customer.ts'
export { CustomerExport } from './customer-export.ts'
export { ApiError, type ErrorCode, errorStatuses } from './error.ts'
export { Event, EventType, TestEvent } from './event.ts'
export { Evidence } from './evidence.ts'
export { ForbiddenKey, numberText, parseExactly } from './exact-json.ts'
export { Exception, ExceptionKind, ExceptionStatus, Resolution } from './exception.ts'
export { assetId } from './fields.ts'
export { HistoryEntry } from './history.ts'
export { JournalEntry, JournalPage } from './journal.ts'
export { listOf } from './list.ts'
export { ChangedMerchant, Merchant, Terms } from './merchant.ts'
export {
  AssetsQuery,
  AttachedCustomer,
  OutcomeQuery,
  PaidFromSandbox,
  PayerAsset,
  PayerDetails,
  PayerStatus,
  payableId,
  Quote,
  RelayedTransaction,
  SandboxPayment,
  SignedTransaction,
  TransactionOutcome,
  TransactionRequest,
  UnsignedTransaction,
} from './payer.ts'
export { Payment, PaymentStatus } from './payment.ts'
export {
  Balance,
  DeletedPayoutDestination,
  DeletedPayoutSchedule,
  NewlyRegisteredDestination,
  NewPayout,
  NewPayoutDestination,
  NewPayoutSchedule,
  Payout,
  PayoutDestination,
  PayoutSchedule,
  PayoutStatus,
} from './payout.ts'
export { EnteredCode, NewPortalSession, PortalEntry, PortalEntryRequest, PortalProof, PortalSession } from './portal.ts'
export { NewPriceChange, PriceChange, PriceChangeStep, PriceChangeSubscription } from './price-change.ts'
export { ChangedProduct, DeletedProduct, NewProduct, Product, ProductStatus } from './product.ts'
export {
  ApprovalReceipt,
  CheckoutReceipt,
  CreditReceipt,
  CustomerReceipt,
  DeliveryReceipt,
  ExceptionReceipt,
  MerchantReceipt,
  PayoutReceipt,
  PayoutScheduleReceipt,
  PriceChangeReceipt,
  ProductReceipt,
  RefundReceipt,
  SettlementReceipt,
  SubscriptionReceipt,
  WalletReceipt,
  WebhookReceipt,
  WebhookSecretReceipt,
} from './receipt.ts'
export { NewRefund, Refund, RefundStatus } from './refund.ts'
export { Advance, Health, Ready, SandboxClock, SandboxMail } from './service.ts'
export { ChangedSettlement, Settlement, SignatureRequests } from './settlement.ts'
export {
  Cancellation,
  ChangedSubscription,
  Subscription,
  SubscriptionDetail,
  SubscriptionFact,
  SubscriptionStatus,
} from './subscription.ts'
export { Summary } from './summary.ts'
export {
  ChangedMember,
  DeletedMember,
  EndedSession,
  Invitation,
  Joining,
  Member,
  NewMember,
  NewPasskey,
  NewPassword,
  OwnMember,
  PasskeyAnswer,
  PasskeyOptions,
  Recovery,
  RecoveryCodes,
  Session,
  SessionEntry,
  SignIn,
  Totp,
  TotpCode,
} from './team.ts'
export {
  account,
  count,
  currencyCode,
  digits,
  email,
  httpUrl,
  id,
  metadata,
  moment,
  OneOrManyType,
  oneOf,
  phone,
  positiveCount,
  such,
  text,
  textMetadata,
  timestamp,
} from './values.ts'
export { DeletedWallet, Wallet, WalletAddress, WalletChallenge, WalletProof } from './wallet.ts'
export { ChangedWebhook, DeletedWebhook, NewWebhook, Webhook, WebhookDelivery, WebhookWithSecret } from './webhook.ts'
