import type { EvidenceFailure } from '../audit/evidence/evidence.ts'
import type { HistoryFailure } from '../audit/histories/histories.ts'
import type { KnownAhead } from '../audit/two-clocks/as-of.ts'
import type { DecideFailure } from '../features/approvals/approvals.ts'
import type { CheckoutFailure, CheckoutNotFound } from '../features/checkouts/options.ts'
import type { ConsumeFailure, TransactionNotFound } from '../features/credits/credits.ts'
import type { CustomerFailure } from '../features/customers/create.ts'
import type { MergeFailure } from '../features/customers/merge.ts'
import type { CancelReturnFailure } from '../features/exceptions/cancel-return.ts'
import type { ResolveFailure } from '../features/exceptions/resolve.ts'
import type { DeclareFailure } from '../features/funding/fundings.ts'
import type { LimitFailure } from '../features/limits/limits.ts'
import type { OwnAccountFailure } from '../features/own-account/own-account.ts'
import type { AttachFailure } from '../features/paying/attach-customer.ts'
import type { PayFailure } from '../features/paying/pay.ts'
import type { PaymentNotFound } from '../features/payments/payments.ts'
import type { CancelFailure } from '../features/payouts/cancel.ts'
import type { DestinationFailure } from '../features/payouts/destinations.ts'
import type { ReadFailure } from '../features/payouts/read.ts'
import type { PayoutFailure } from '../features/payouts/request.ts'
import type { ScheduleFailure } from '../features/payouts/schedules.ts'
import type { PriceChangeFailure } from '../features/price-changes/schedule.ts'
import type { ProductFailure } from '../features/products/create.ts'
import type { CancelRefundFailure } from '../features/refunds/cancel.ts'
import type { RefundFailure } from '../features/refunds/request.ts'
import type { AssetNotKnown, MerchantNotFound } from '../features/settlement-account/change-assets.ts'
import type { SettlementFailure } from '../features/settlement-account/settlement-failure.ts'
import type { SubscriptionFailure } from '../features/subscriptions/subscriptions.ts'
import type { WalletFailure } from '../features/wallets/wallets.ts'
import type { DeliveryNotFound } from '../notify/delivery/deliveries.ts'
import type { EventNotFound } from '../notify/public-events/events.ts'
import type { WebhookFailure } from '../notify/webhooks/webhooks.ts'
import type { EmailChangeFailure } from '../portal/email-change.ts'
import type { EntryFailure } from '../portal/entry.ts'
import type { ExportFailure } from '../portal/export/customer-export.ts'
import type { WalletOfSeveral } from '../portal/owner-of-wallet.ts'
import type { ReceiptNotFound } from '../portal/receipts/receipt.ts'
import type { ReturnUrlNotAllowed } from '../portal/return-url.ts'
import type { NetworkWasReset } from '../services/network-epochs.ts'
import type { TeamFailure } from '../team/failures.ts'

/** Every failure that a caller of the billing core can get. */
export type BillingFailure =
  | ProductFailure
  | CustomerFailure
  | ExportFailure
  | MergeFailure
  | CheckoutFailure
  | CheckoutNotFound
  | HistoryFailure
  | PaymentNotFound
  | PayFailure
  | AttachFailure
  | ConsumeFailure
  | ResolveFailure
  | CancelReturnFailure
  | WebhookFailure
  | RefundFailure
  | CancelRefundFailure
  | PayoutFailure
  | DecideFailure
  | LimitFailure
  | CancelFailure
  | DestinationFailure
  | ScheduleFailure
  | ReadFailure
  | TransactionNotFound
  | EventNotFound
  | DeliveryNotFound
  | SubscriptionFailure
  | PriceChangeFailure
  | SettlementFailure
  | AssetNotKnown
  | MerchantNotFound
  | WalletFailure
  | WalletOfSeveral
  | ReturnUrlNotAllowed
  | ReceiptNotFound
  | EntryFailure
  | TeamFailure
  | EmailChangeFailure
  | NetworkWasReset
  | OwnAccountFailure
  | DeclareFailure
  | KnownAhead
  | EvidenceFailure
