import type { ChannelState } from '@quittance/domain'
import type { InlineProjection, SqlDatabase } from '@quittance/event-store'
import { access, type GrantRow } from './access.ts'
import { type ApiKeyRow, apiKeys } from './api-keys.ts'
import { channels } from './channels.ts'
import { type CheckoutRow, checkouts } from './checkouts.ts'
import { type CreditBooksRow, type CreditTransactionRow, creditBooks, creditTransactions } from './credits.ts'
import { type CustomerRow, customers } from './customers.ts'
import { type ExceptionRow, exceptions } from './exceptions.ts'
import { type FundingRow, fundings } from './fundings.ts'
import { type IntentRow, intents } from './intents.ts'
import { type LedgerTransactionRow, ledgerTransactions } from './ledger-transactions.ts'
import { type MerchantRow, merchants } from './merchants.ts'
import { type PaymentRow, payments } from './payments.ts'
import { payoutClaims } from './payout-claims.ts'
import { type PayoutDestinationRow, payoutDestinations } from './payout-destinations.ts'
import { type PayoutBookRow, payoutSchedules } from './payout-schedules.ts'
import { type PayoutRow, payouts } from './payouts.ts'
import { type ProductRow, products } from './products.ts'
import type { PublicEvents } from './public-events/public-event.ts'
import { publicEvents } from './public-events/public-events.ts'
import { publicEventWriter } from './public-events/write-public-events.ts'
import { type RefundClaimRow, refundClaims } from './refund-claims.ts'
import { type RefundRow, refunds } from './refunds.ts'
import { type SettlementSetUpRow, settlementSetUps } from './settlement-set-ups.ts'
import type { StateRow } from './state-model.ts'
import { type SubscriptionAlarmRow, subscriptionAlarms } from './subscription-alarms.ts'
import { type SubscriptionDebtRow, subscriptionDebts } from './subscription-debts.ts'
import { type SubscriptionNameRow, subscriptionNames } from './subscription-names.ts'
import { type SubscriptionRow, subscriptions } from './subscriptions.ts'
import { type Table, table } from './table.ts'
import { type UnexplainedRow, unexplained } from './unexplained.ts'
import { type WatchedAccountRow, watchedAccounts } from './watched-accounts.ts'
import { type WebhookRow, webhooks } from './webhooks.ts'
import { inlineProjection, type RowWriter, rowWriter } from './write-rows.ts'

/** Every read model's queries. */
export interface ReadModels {
  readonly publicEvents: PublicEvents
  readonly merchants: Table<MerchantRow>
  readonly apiKeys: Table<ApiKeyRow>
  readonly products: Table<ProductRow>
  readonly customers: Table<CustomerRow>
  readonly checkouts: Table<CheckoutRow>
  readonly payments: Table<PaymentRow>
  readonly access: Table<GrantRow>
  readonly subscriptions: Table<SubscriptionRow>
  readonly subscriptionAlarms: Table<SubscriptionAlarmRow>
  readonly subscriptionDebts: Table<SubscriptionDebtRow>
  /** What a ledger or a payer calls subscriptions by. */
  readonly subscriptionNames: Table<SubscriptionNameRow>
  readonly refunds: Table<RefundRow>
  readonly refundClaims: Table<RefundClaimRow>
  readonly payouts: Table<PayoutRow>
  readonly payoutClaims: Table<PayoutBookRow>
  readonly payoutSchedules: Table<PayoutBookRow>
  readonly payoutDestinations: Table<PayoutDestinationRow>
  readonly exceptions: Table<ExceptionRow>
  readonly unexplained: Table<UnexplainedRow>
  readonly fundings: Table<FundingRow>
  readonly settlementSetUps: Table<SettlementSetUpRow>
  readonly watchedAccounts: Table<WatchedAccountRow>
  readonly creditBooks: Table<CreditBooksRow>
  readonly creditTransactions: Table<CreditTransactionRow>
  readonly webhooks: Table<WebhookRow>
  readonly intents: Table<IntentRow>
  readonly ledgerTransactions: Table<LedgerTransactionRow>
  readonly channels: Table<StateRow<ChannelState>>
}

/** How each of them is written. */
export const rowWriters: ReadonlyArray<RowWriter> = [
  publicEventWriter,
  rowWriter(merchants),
  rowWriter(apiKeys),
  rowWriter(products),
  rowWriter(customers),
  rowWriter(checkouts),
  rowWriter(payments),
  rowWriter(access),
  rowWriter(subscriptions),
  rowWriter(subscriptionAlarms),
  rowWriter(subscriptionDebts),
  rowWriter(subscriptionNames),
  rowWriter(refunds),
  rowWriter(refundClaims),
  rowWriter(payouts),
  rowWriter(payoutClaims),
  rowWriter(payoutSchedules),
  rowWriter(payoutDestinations),
  rowWriter(exceptions),
  rowWriter(unexplained),
  rowWriter(fundings),
  rowWriter(settlementSetUps),
  rowWriter(watchedAccounts),
  rowWriter(creditBooks),
  rowWriter(creditTransactions),
  rowWriter(webhooks),
  rowWriter(intents),
  rowWriter(ledgerTransactions),
  rowWriter(channels),
]

/** All of them, for the store that writes them in the transaction of each append. */
export const inlineProjections: ReadonlyArray<InlineProjection> = rowWriters.map(inlineProjection)

/** Opens the queries over a connection to the event log's file, whose store has created the tables. */
export const readModels = (database: SqlDatabase): ReadModels => ({
  publicEvents: publicEvents(database),
  merchants: table(database, merchants),
  apiKeys: table(database, apiKeys),
  products: table(database, products),
  customers: table(database, customers),
  checkouts: table(database, checkouts),
  payments: table(database, payments),
  access: table(database, access),
  subscriptions: table(database, subscriptions),
  subscriptionAlarms: table(database, subscriptionAlarms),
  subscriptionDebts: table(database, subscriptionDebts),
  subscriptionNames: table(database, subscriptionNames),
  refunds: table(database, refunds),
  refundClaims: table(database, refundClaims),
  payouts: table(database, payouts),
  payoutClaims: table(database, payoutClaims),
  payoutSchedules: table(database, payoutSchedules),
  payoutDestinations: table(database, payoutDestinations),
  exceptions: table(database, exceptions),
  unexplained: table(database, unexplained),
  fundings: table(database, fundings),
  settlementSetUps: table(database, settlementSetUps),
  watchedAccounts: table(database, watchedAccounts),
  creditBooks: table(database, creditBooks),
  creditTransactions: table(database, creditTransactions),
  webhooks: table(database, webhooks),
  intents: table(database, intents),
  ledgerTransactions: table(database, ledgerTransactions),
  channels: table(database, channels),
})
