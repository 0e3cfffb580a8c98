import { accountName } from '@quittance/domain'
import type { PostgresProjection } from '@quittance/event-store/postgres'
import { access } from '../access.ts'
import { apiKeys } from '../api-keys.ts'
import { approvals } from '../approvals.ts'
import { channels } from '../channels.ts'
import { checkouts } from '../checkouts.ts'
import { creditBooks, creditTransactions } from '../credits.ts'
import { customers } from '../customers.ts'
import { exceptions } from '../exceptions.ts'
import { fundings } from '../fundings.ts'
import { incomingPayments } from '../incoming-payments.ts'
import { intents } from '../intents.ts'
import { ledgerTransactions } from '../ledger-transactions.ts'
import { mandateContracts } from '../mandate-contracts.ts'
import { merchants } from '../merchants.ts'
import { networkEpochs } from '../network-epochs.ts'
import { offeredContracts } from '../offered-contracts.ts'
import { payments } from '../payments.ts'
import { payoutClaims } from '../payout-claims.ts'
import { payoutDestinations } from '../payout-destinations.ts'
import { payoutSchedules } from '../payout-schedules.ts'
import { payouts } from '../payouts.ts'
import { priceChangeSubscriptions } from '../price-change-subscriptions.ts'
import { priceChanges } from '../price-changes.ts'
import { products } from '../products.ts'
import { ofEachModel, type ReadModels } from '../read-models.ts'
import { refundClaims } from '../refund-claims.ts'
import { refunds } from '../refunds.ts'
import { checkoutReferences, invoiceReferences } from '../session-references.ts'
import { settlementSetUps } from '../settlement-set-ups.ts'
import { subscriptionAlarms } from '../subscription-alarms.ts'
import { subscriptionDebts } from '../subscription-debts.ts'
import { subscriptionNames } from '../subscription-names.ts'
import { subscriptions } from '../subscriptions.ts'
import { unexplained } from '../unexplained.ts'
import { walletOwners } from '../wallet-owners.ts'
import { watchedAccounts } from '../watched-accounts.ts'
import { webhooks } from '../webhooks.ts'
import type { Asynchronous } from './asynchronous.ts'
import { listedUnderAll, postgresCustomerFamilies } from './customer-merges.ts'
import { postgresMandateQueries } from './mandates.ts'
import type { PostgresReading } from './prepare.ts'
import { postgresPublicEvents } from './public-events.ts'
import { postgresBookedFees, postgresLostRevenues, postgresProgressCounts } from './sums.ts'
import { type PostgresTable, postgresTable } from './table.ts'
import { publicEventProjection } from './write-public-events.ts'
import { postgresProjection } from './write-rows.ts'

/** All read models, for the store that writes them in the transaction of each append. */
export const postgresProjections: ReadonlyArray<PostgresProjection> = [
  publicEventProjection,
  ...ofEachModel(postgresProjection),
]

/** Every read model's queries, whose answers are awaited. */
export type PostgresReadModels = { readonly [Name in keyof ReadModels]: Asynchronous<ReadModels[Name]> }

/** Opens the queries of `readModels` over the schema of the log, whose store has created the tables. */
export const postgresReadModels = (reading: PostgresReading): PostgresReadModels => {
  const customerFamily = postgresCustomerFamilies(reading)
  const ofCustomers = <Row>(rows: PostgresTable<Row>) => listedUnderAll(rows, customerFamily.allOf)
  const accountsOf = async (account: string) => {
    const [customerId = '', productId = ''] = account.split('/')
    const family = await customerFamily.allOf(customerId)
    return family.map((each) => accountName({ customerId: each, productId }))
  }
  return {
    publicEvents: postgresPublicEvents(reading),
    merchants: postgresTable(reading, merchants),
    apiKeys: postgresTable(reading, apiKeys),
    products: postgresTable(reading, products),
    customers: postgresTable(reading, customers),
    customerFamily,
    walletOwners: postgresTable(reading, walletOwners),
    checkouts: ofCustomers(postgresTable(reading, checkouts)),
    checkoutReferences: postgresTable(reading, checkoutReferences),
    invoiceReferences: postgresTable(reading, invoiceReferences),
    payments: ofCustomers(postgresTable(reading, payments)),
    incomingPayments: postgresTable(reading, incomingPayments),
    bookedFees: postgresBookedFees(reading),
    access: ofCustomers(postgresTable(reading, access)),
    subscriptions: ofCustomers(postgresTable(reading, subscriptions)),
    priceChanges: postgresTable(reading, priceChanges),
    priceChangeSubscriptions: postgresTable(reading, priceChangeSubscriptions),
    priceChangeProgress: postgresProgressCounts(reading),
    subscriptionAlarms: postgresTable(reading, subscriptionAlarms),
    subscriptionDebts: postgresTable(reading, subscriptionDebts),
    subscriptionNames: postgresTable(reading, subscriptionNames),
    mandateContracts: postgresTable(reading, mandateContracts),
    offeredContracts: postgresTable(reading, offeredContracts),
    mandates: postgresMandateQueries(reading),
    lostRevenue: postgresLostRevenues(reading),
    networkEpochs: postgresTable(reading, networkEpochs),
    refunds: postgresTable(reading, refunds),
    refundClaims: postgresTable(reading, refundClaims),
    payouts: postgresTable(reading, payouts),
    payoutClaims: postgresTable(reading, payoutClaims),
    payoutSchedules: postgresTable(reading, payoutSchedules),
    payoutDestinations: postgresTable(reading, payoutDestinations),
    approvals: postgresTable(reading, approvals),
    exceptions: postgresTable(reading, exceptions),
    unexplained: postgresTable(reading, unexplained),
    fundings: postgresTable(reading, fundings),
    settlementSetUps: postgresTable(reading, settlementSetUps),
    watchedAccounts: postgresTable(reading, watchedAccounts),
    creditBooks: postgresTable(reading, creditBooks),
    creditTransactions: listedUnderAll(postgresTable(reading, creditTransactions), accountsOf),
    webhooks: postgresTable(reading, webhooks),
    intents: postgresTable(reading, intents),
    ledgerTransactions: postgresTable(reading, ledgerTransactions),
    channels: postgresTable(reading, channels),
  }
}
