/**
 * Read models as folds of events: those of Quittance, and the means to write others beside them.
 *
 * @module @quittance/projections
 */

export { access } from './access.ts'
export type { ApiKeyRow } from './api-keys.ts'
export { type ApprovalRow, approvals } from './approvals.ts'
export { type CheckoutRow, checkouts } from './checkouts.ts'
export { type CreditTransactionRow, creditBooks, creditTransactions } from './credits.ts'
export { type CustomerRow, customers } from './customers.ts'
export { decodedBy, UnreadableEvent } from './decode.ts'
export { type ExceptionRow, exceptionAlarmMs, exceptions, isWaiting } from './exceptions.ts'
export { OtherLog, ProjectionDefect } from './feed/failures.ts'
export { createProjector, type FileProjector, type Projector } from './feed/projector.ts'
export { type FundingRow, fundings } from './fundings.ts'
export { type IncomingPaymentRow, incomingPaymentKey } from './incoming-payments.ts'
export { type IntentRow, intents } from './intents.ts'
export { type LedgerTransactionRow, ledgerTransactions } from './ledger-transactions.ts'
export type { LostRevenue } from './lost-revenue.ts'
export type { MandatePlace, MandateRow } from './mandates.ts'
export type { MerchantRow } from './merchants.ts'
export { type PaymentRow, payments } from './payments.ts'
export { type PayoutDestinationRow, payoutDestinations } from './payout-destinations.ts'
export { type PayoutBookRow, payoutSchedules } from './payout-schedules.ts'
export { type PayoutRow, payouts } from './payouts.ts'
export type { BookedFees } from './platform-fees.ts'
export {
  type PriceChangeProgress,
  type PriceChangeSubscriptionRow,
  priceChangeEntryId,
  priceChangeSubscriptions,
} from './price-change-subscriptions.ts'
export { type PriceChangeRow, priceChanges } from './price-changes.ts'
export { type ProductRow, products } from './products.ts'
export type { FeedRequest, PublicEvent } from './public-events/public-event.ts'
export { placeOf } from './public-events/public-event-row.ts'
export {
  type Columns,
  type Found,
  foldRow,
  type Page,
  type PageRequest,
  type ReadModel,
  type Scope,
} from './read-model.ts'
export { inlineProjections, type ReadModels, readModels } from './read-models.ts'
export { type Reading, sqliteReading } from './reading.ts'
export { type RefundRow, refunds } from './refunds.ts'
export { type SettlementSetUpRow, settlementSetUpId } from './settlement-set-ups.ts'
export type { StateReadModel } from './state-model.ts'
export type { SubscriptionDebtRow } from './subscription-debts.ts'
export type { SubscriptionNameRow } from './subscription-names.ts'
export { type SubscriptionRow, subscriptions } from './subscriptions.ts'
export type { DaysRevenue, SubscriptionGroup } from './summary.ts'
export { type DuePlace, type Table, table } from './table.ts'
export { type WebhookRow, webhooks } from './webhooks.ts'
export { inlineProjection, type RowWriter, rowWriter } from './write-rows.ts'
