import { accountName } from '@quittance/domain'
import type { InlineProjection } from '@quittance/event-store'
import { access } from './access.ts'
import { apiKeys } from './api-keys.ts'
import { approvals } from './approvals.ts'
import { channels } from './channels.ts'
import { checkouts } from './checkouts.ts'
import { creditBooks, creditTransactions } from './credits.ts'
import { customerFamilies, customerMerges, listedUnderAll } from './customer-merges.ts'
import { customers } from './customers.ts'
import { exceptions } from './exceptions.ts'
import { fundings } from './fundings.ts'
import { incomingPayments } from './incoming-payments.ts'
import { intents } from './intents.ts'
import { ledgerTransactions } from './ledger-transactions.ts'
import { lostRevenue, lostRevenues } from './lost-revenue.ts'
import { mandateContracts } from './mandate-contracts.ts'
import { mandateQueries, mandates } from './mandates.ts'
import { merchants } from './merchants.ts'
import { networkEpochs } from './network-epochs.ts'
import { offeredContracts } from './offered-contracts.ts'
import { payments } from './payments.ts'
import { payoutClaims } from './payout-claims.ts'
import { payoutDestinations } from './payout-destinations.ts'
import { payoutSchedules } from './payout-schedules.ts'
import { payouts } from './payouts.ts'
import { bookedFees, platformFees } from './platform-fees.ts'
import { priceChangeSubscriptions, progressCounts } from './price-change-subscriptions.ts'
import { priceChanges } from './price-changes.ts'
import { products } from './products.ts'
import { publicEvents } from './public-events/public-events.ts'
import { publicEventWriter } from './public-events/write-public-events.ts'
import type { ReadModel } from './read-model.ts'
import type { Reading } from './reading.ts'
import { refundClaims } from './refund-claims.ts'
import { refunds } from './refunds.ts'
import { checkoutReferences, invoiceReferences } from './session-references.ts'
import { settlementSetUps } from './settlement-set-ups.ts'
import { subscriptionAlarms } from './subscription-alarms.ts'
import { subscriptionDebts } from './subscription-debts.ts'
import { subscriptionNames } from './subscription-names.ts'
import { subscriptions } from './subscriptions.ts'
import { summaries } from './summary.ts'
import { type Table, table } from './table.ts'
import { unexplained } from './unexplained.ts'
import { walletOwners } from './wallet-owners.ts'
import { watchedAccounts } from './watched-accounts.ts'
import { webhooks } from './webhooks.ts'
import { inlineProjection, type RowWriter, rowWriter } from './write-rows.ts'

/** Does the same with each read model that is a fold; the public events, which look beyond their stream, are not. */
export const ofEachModel = <A>(visit: <Row>(model: ReadModel<Row>) => A): ReadonlyArray<A> => [
  visit(merchants),
  visit(apiKeys),
  visit(products),
  visit(customers),
  visit(customerMerges),
  visit(walletOwners),
  visit(checkouts),
  visit(checkoutReferences),
  visit(invoiceReferences),
  visit(payments),
  visit(incomingPayments),
  visit(platformFees),
  visit(access),
  visit(subscriptions),
  visit(priceChanges),
  visit(priceChangeSubscriptions),
  visit(subscriptionAlarms),
  visit(subscriptionDebts),
  visit(subscriptionNames),
  visit(mandateContracts),
  visit(offeredContracts),
  visit(mandates),
  visit(lostRevenue),
  visit(networkEpochs),
  visit(refunds),
  visit(refundClaims),
  visit(payouts),
  visit(payoutClaims),
  visit(payoutSchedules),
  visit(payoutDestinations),
  visit(approvals),
  visit(exceptions),
  visit(unexplained),
  visit(fundings),
  visit(settlementSetUps),
  visit(watchedAccounts),
  visit(creditBooks),
  visit(creditTransactions),
  visit(webhooks),
  visit(intents),
  visit(ledgerTransactions),
  visit(channels),
]

/** How each read model is written. */
export const rowWriters: ReadonlyArray<RowWriter> = [publicEventWriter, ...ofEachModel(rowWriter)]

/** All of them, for the store that writes them in the transaction of each append. */
export const inlineProjections: ReadonlyArray<InlineProjection> = rowWriters.map(inlineProjection)

/**
 * Opens the queries where the store of the log has created the tables. What is listed under a customer is listed under each
 * customer that is the same person.
 */
export const readModels = (reading: Reading) => {
  const customerFamily = customerFamilies(reading)
  const ofCustomers = <Row>(rows: Table<Row>) => listedUnderAll(rows, customerFamily.allOf)
  const accountsOf = async (account: string) => {
    const [customerId = '', productId = ''] = account.split('/')
    const family = await customerFamily.allOf(customerId)
    return family.map((each) => accountName({ customerId: each, productId }))
  }
  return {
    publicEvents: publicEvents(reading),
    merchants: table(reading, merchants),
    apiKeys: table(reading, apiKeys),
    products: table(reading, products),
    customers: table(reading, customers),
    customerFamily,
    walletOwners: table(reading, walletOwners),
    checkouts: ofCustomers(table(reading, checkouts)),
    checkoutReferences: table(reading, checkoutReferences),
    invoiceReferences: table(reading, invoiceReferences),
    payments: ofCustomers(table(reading, payments)),
    incomingPayments: table(reading, incomingPayments),
    /** What merchants owe the operator for payments, whether it was collected or not. */
    bookedFees: bookedFees(reading),
    access: ofCustomers(table(reading, access)),
    subscriptions: ofCustomers(table(reading, subscriptions)),
    priceChanges: table(reading, priceChanges),
    priceChangeSubscriptions: table(reading, priceChangeSubscriptions),
    priceChangeProgress: progressCounts(reading),
    subscriptionAlarms: table(reading, subscriptionAlarms),
    subscriptionDebts: table(reading, subscriptionDebts),
    /** What a ledger or a payer calls subscriptions by. */
    subscriptionNames: table(reading, subscriptionNames),
    mandateContracts: table(reading, mandateContracts),
    offeredContracts: table(reading, offeredContracts),
    mandates: mandateQueries(reading),
    lostRevenue: lostRevenues(reading),
    /** How much was sold, and how many subscriptions there are. */
    summary: summaries(reading),
    networkEpochs: table(reading, networkEpochs),
    refunds: table(reading, refunds),
    refundClaims: table(reading, refundClaims),
    payouts: table(reading, payouts),
    payoutClaims: table(reading, payoutClaims),
    payoutSchedules: table(reading, payoutSchedules),
    payoutDestinations: table(reading, payoutDestinations),
    approvals: table(reading, approvals),
    exceptions: table(reading, exceptions),
    unexplained: table(reading, unexplained),
    fundings: table(reading, fundings),
    settlementSetUps: table(reading, settlementSetUps),
    watchedAccounts: table(reading, watchedAccounts),
    creditBooks: table(reading, creditBooks),
    creditTransactions: listedUnderAll(table(reading, creditTransactions), accountsOf),
    webhooks: table(reading, webhooks),
    intents: table(reading, intents),
    ledgerTransactions: table(reading, ledgerTransactions),
    channels: table(reading, channels),
  }
}

/** Every read model's queries. */
export type ReadModels = Readonly<ReturnType<typeof readModels>>
