import type { Access } from '../access/access.ts'
import { type Anchors, anchors } from '../audit/anchors/anchors.ts'
import { type GatherEvidence, gatherEvidence } from '../audit/evidence/evidence.ts'
import { type Histories, histories } from '../audit/histories/histories.ts'
import { type Journal, journal } from '../audit/journal/journal.ts'
import { type ReconcileLog, reconcileLog } from '../audit/reconciliation/reconcile-log.ts'
import { type TransparencyLog, transparencyLog } from '../audit/transparency/transparency-log.ts'
import { accessAt } from '../audit/two-clocks/access-at.ts'
import { type AsOf, asOf } from '../audit/two-clocks/as-of.ts'
import { type WhatIf, whatIf } from '../audit/what-if/what-if.ts'
import { type Summarize, summarize } from '../books/summary.ts'
import { type Approvals, approvals } from '../features/approvals/approvals.ts'
import { type Checkouts, checkouts } from '../features/checkouts/checkouts.ts'
import { type CustomerCredits, customerCredits } from '../features/credits/credits.ts'
import { type Customers, customers } from '../features/customers/customers.ts'
import { type Exceptions, exceptions } from '../features/exceptions/exceptions.ts'
import { type Fundings, fundings } from '../features/funding/fundings.ts'
import { type OutflowLimits, outflowLimits } from '../features/limits/limits.ts'
import { type Merchants, merchants } from '../features/merchants/merchants.ts'
import { type PlatformFees, platformFees } from '../features/merchants/platform-fees.ts'
import { type MerchantProfiles, merchantProfiles } from '../features/merchants/profiles.ts'
import { stellarToml } from '../features/merchants/stellar-toml.ts'
import { type OwnAccount, ownAccount } from '../features/own-account/own-account.ts'
import { type Payments, payments } from '../features/payments/payments.ts'
import { type Payouts, payouts } from '../features/payouts/payouts.ts'
import { type PriceChanges, priceChanges } from '../features/price-changes/price-changes.ts'
import { type Products, products } from '../features/products/products.ts'
import { type Refunds, refunds } from '../features/refunds/refunds.ts'
import { type SettlementAccounts, settlementAccounts } from '../features/settlement-account/settlement-accounts.ts'
import { type SubscriptionAlarms, subscriptionAlarms } from '../features/subscriptions/alarms.ts'
import { cancelAllOf } from '../features/subscriptions/cancel-all-of.ts'
import { type LostRevenues, lostRevenues } from '../features/subscriptions/lost-revenue.ts'
import { type Subscriptions, subscriptions } from '../features/subscriptions/subscriptions.ts'
import { type Wallets, wallets } from '../features/wallets/wallets.ts'
import type { Claims } from '../kernel/claims.ts'
import type { Clock } from '../kernel/clock.ts'
import { type Deliveries, deliveries } from '../notify/delivery/deliveries.ts'
import { type Events, events } from '../notify/public-events/events.ts'
import { type Webhooks, webhooks } from '../notify/webhooks/webhooks.ts'
import { type LogHistories, logHistories } from '../operator/accept-log.ts'
import { type AccountKeyring, accountKeyring } from '../operator/account-keys.ts'
import { type AccountRecovery, accountRecovery } from '../operator/account-recovery.ts'
import { type Channels, channels } from '../operator/channels.ts'
import { type CloseMerchant, closeMerchant } from '../operator/closing.ts'
import { type Doctor, doctor } from '../operator/doctor/doctor.ts'
import { type FreezeSwitch, freezeSwitch } from '../operator/freezes.ts'
import { type Ingestion, ingestion } from '../operator/ingestion.ts'
import { type Leaving, leaving } from '../operator/leaving/leaving.ts'
import { type MandateContracts, mandateContracts } from '../operator/mandate-contracts.ts'
import { type NetworkResets, networkResets } from '../operator/network-reset/network-resets.ts'
import { type Operator, operator } from '../operator/operator-account.ts'
import { type ScreeningDesk, screeningDesk } from '../operator/screening-desk.ts'
import { type Transactions, transactions } from '../operator/transactions.ts'
import { type Usage, usage } from '../operator/usage.ts'
import { type ExportCustomer, exportCustomer } from '../portal/export/customer-export.ts'
import { type Portal, portal } from '../portal/portal.ts'
import { type Receipts, receipts } from '../portal/receipts/receipt.ts'
import type { Services } from '../services/services.ts'
import type { Settlements } from '../services/settlements.ts'
import { type Team, team } from '../team/team.ts'
import { type Payer, payer } from './payer.ts'

/** The billing core. A platform calls it in its own process; the HTTP service is a thin layer over it. */
export interface Billing {
  readonly merchants: Merchants
  /** Who merchants are, as their customers see it. */
  readonly merchantProfiles: MerchantProfiles
  /** What the operator takes of merchants' sales. */
  readonly platformFees: PlatformFees
  readonly products: Products
  readonly customers: Customers
  readonly checkouts: Checkouts
  readonly payments: Payments
  readonly access: Access
  /** Answers for another moment: what was true then, or what was known then. */
  readonly asOf: AsOf
  readonly credits: CustomerCredits
  readonly exceptions: Exceptions
  /** A merchant's own account to be paid at. */
  readonly ownAccount: OwnAccount
  /** The merchant's own money that it sends to its settlement account. */
  readonly fundings: Fundings
  readonly refunds: Refunds
  /** Money that merchants withdraw. */
  readonly payouts: Payouts
  /** How much may go out in 24 hours without an approval. */
  readonly limits: OutflowLimits
  readonly approvals: Approvals
  readonly priceChanges: PriceChanges
  readonly subscriptions: Subscriptions
  readonly subscriptionAlarms: SubscriptionAlarms
  readonly lostRevenues: LostRevenues
  /** How a merchant's business goes. */
  readonly summarize: Summarize
  readonly webhooks: Webhooks
  readonly deliveries: Deliveries
  readonly events: Events
  /** What happened to each resource, and why. */
  readonly histories: Histories
  readonly wallets: Wallets
  readonly portal: Portal
  /** What payers have paid, by addresses that nobody can guess. */
  readonly receipts: Receipts
  /** The people who act for merchants. */
  readonly team: Team
  readonly exportCustomer: ExportCustomer
  readonly payer: Payer
  /** Resumes ingestion that has halted, and proves books and log against the ledger. */
  readonly following: Ingestion & { readonly reconcile: ReconcileLog }
  /** Whether the log went back, as after a restored backup. */
  readonly log: LogHistories
  /** Proves to others what is in the log, and that it only grows. */
  readonly transparency: TransparencyLog
  /** What the log has recorded of a payment, a subscription or a customer, for others to verify. */
  readonly evidence: GatherEvidence
  /** The checkpoints of the log that stand on ledgers. */
  readonly anchors: Anchors
  /** What another policy would have made of recorded subscriptions. */
  readonly whatIf: WhatIf
  /** Stops and allows sales, charges and payouts. */
  readonly freezes: FreezeSwitch
  /** What a screening holds, for the operator. */
  readonly screening: ScreeningDesk
  readonly closeMerchant: CloseMerchant
  /** What a reset of a network has ended, and the one that waits. */
  readonly networkResets: NetworkResets
  /** Merchants that move to other installations. */
  readonly leaving: Leaving
  /** The contracts of mandates, and the migration of subscribers from former ones. */
  readonly mandateContracts: MandateContracts
  readonly channels: Channels
  readonly operator: Operator
  /** The keys of the service's accounts. */
  readonly accountKeys: AccountKeyring
  readonly accountRecovery: AccountRecovery
  /** Decides outgoing transactions without a provable outcome. */
  readonly transactions: Transactions
  /** What merchants used, and what that cost on the ledger. */
  readonly usage: Usage
  /** A merchant's books in double entry. */
  readonly journal: Journal
  readonly settlement: Settlements
  readonly settlementAccounts: SettlementAccounts
  /** Finds what prevents sales, for the operator. */
  readonly doctor: Doctor
  /** The service's own `stellar.toml` (SEP-1). */
  readonly stellarToml: ReturnType<typeof stellarToml>
  readonly claims: Claims
  readonly clock: Clock
  readonly freshId: () => string
  /** Keyed, so that the stored hash of a request reveals nothing about its body. */
  readonly requestHash: (parts: ReadonlyArray<string>) => Promise<string>
}

/**
 * Makes the billing core of the services that `embedded` or `remoteLog` assembles. It opens nothing and starts nothing.
 */
export const createBilling = (services: Services): Billing => {
  const people = customers(services, (context, id) => cancelAllOf(services, context, id))
  const shops = merchants(services)
  return {
    merchants: shops,
    merchantProfiles: merchantProfiles(services),
    platformFees: platformFees(services),
    products: products(services),
    customers: people,
    checkouts: checkouts(services, people),
    payments: payments(services),
    access: (scope, customerId, productId, at) =>
      accessAt(services, { at: at ?? null, knownAt: null })(scope, customerId, productId),
    asOf: asOf(services),
    credits: customerCredits(services),
    exceptions: exceptions(services),
    ownAccount: ownAccount(services),
    fundings: fundings(services),
    refunds: refunds(services),
    payouts: payouts(services),
    limits: outflowLimits(services),
    approvals: approvals(services),
    subscriptions: subscriptions(services),
    priceChanges: priceChanges(services),
    subscriptionAlarms: subscriptionAlarms(services),
    lostRevenues: lostRevenues(services),
    summarize: summarize(services),
    webhooks: webhooks(services),
    deliveries: deliveries(services),
    events: events(services),
    histories: histories(services),
    wallets: wallets(services),
    portal: portal(services),
    receipts: receipts(services),
    team: team(services, shops),
    exportCustomer: exportCustomer(services),
    payer: payer(services, people),
    following: { ...ingestion(services), reconcile: reconcileLog(services) },
    log: logHistories(services),
    transparency: transparencyLog(services),
    evidence: gatherEvidence(services, transparencyLog(services)),
    anchors: anchors(services),
    whatIf: whatIf(services),
    freezes: freezeSwitch(services),
    screening: screeningDesk(services),
    closeMerchant: closeMerchant(services),
    networkResets: networkResets(services),
    leaving: leaving(services),
    mandateContracts: mandateContracts(services),
    channels: channels(services),
    operator: operator(services),
    accountKeys: accountKeyring(services),
    accountRecovery: accountRecovery(services),
    transactions: transactions(services),
    usage: usage(services),
    journal: journal(services),
    settlement: services.settlementOf,
    settlementAccounts: settlementAccounts(services),
    doctor: doctor(services),
    stellarToml: stellarToml(services),
    claims: services.claims,
    clock: services.clock,
    freshId: services.freshId,
    requestHash: (parts) => services.vault.keyedHash('request', JSON.stringify(parts)),
  }
}
