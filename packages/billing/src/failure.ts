import type { EventNotFound } from './announcements/events.ts'
import type { AttachFailure } from './checkouts/attach-customer.ts'
import type { CheckoutFailure, CheckoutNotFound } from './checkouts/options.ts'
import type { PayFailure } from './checkouts/pay.ts'
import type { ConsumeFailure, TransactionNotFound } from './credits/credits.ts'
import type { CustomerFailure } from './customers/create.ts'
import type { DeliveryNotFound } from './delivery/deliveries.ts'
import type { ResolveFailure } from './exceptions/resolve.ts'
import type { DeclareFailure } from './funding/fundings.ts'
import type { OwnAccountFailure } from './own-account/own-account.ts'
import type { PaymentNotFound } from './payments/payments.ts'
import type { CancelFailure } from './payouts/cancel.ts'
import type { DestinationFailure } from './payouts/destinations.ts'
import type { ReadFailure } from './payouts/read.ts'
import type { PayoutFailure } from './payouts/request.ts'
import type { ScheduleFailure } from './payouts/schedules.ts'
import type { ProductFailure } from './products/create.ts'
import type { RefundNotFound } from './refunds/refunds.ts'
import type { RefundFailure } from './refunds/request.ts'
import type { AssetNotKnown, MerchantNotFound } from './settlement-account/change-assets.ts'
import type { SettlementFailure } from './settlement-account/settlement-failure.ts'
import type { SubscriptionFailure } from './subscriptions/subscriptions.ts'
import type { WalletFailure } from './wallets/wallets.ts'
import type { WebhookFailure } from './webhooks/webhooks.ts'

/** Everything a caller of the billing core can be told instead of an answer. */
export type BillingFailure =
  | ProductFailure
  | CustomerFailure
  | CheckoutFailure
  | CheckoutNotFound
  | PaymentNotFound
  | PayFailure
  | AttachFailure
  | ConsumeFailure
  | ResolveFailure
  | WebhookFailure
  | RefundFailure
  | RefundNotFound
  | PayoutFailure
  | CancelFailure
  | DestinationFailure
  | ScheduleFailure
  | ReadFailure
  | TransactionNotFound
  | EventNotFound
  | DeliveryNotFound
  | SubscriptionFailure
  | SettlementFailure
  | AssetNotKnown
  | MerchantNotFound
  | WalletFailure
  | OwnAccountFailure
  | DeclareFailure
