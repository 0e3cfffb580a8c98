import { asOf } from './as-of.ts'
import { type ClientOptions, connect } from './connection.ts'
import { apiKeysOf } from './resources/api-keys.ts'
import { approvalsOf } from './resources/approvals.ts'
import { catalogueOf } from './resources/catalogue.ts'
import { checkoutsOf } from './resources/checkouts.ts'
import { creditsOf } from './resources/credits.ts'
import { customersOf } from './resources/customers.ts'
import { eventsOf } from './resources/events.ts'
import { exceptionsOf } from './resources/exceptions.ts'
import { merchantOf } from './resources/merchant.ts'
import { payerOf } from './resources/payer.ts'
import { paymentsOf } from './resources/payments.ts'
import { payoutsOf } from './resources/payouts.ts'
import { priceChangesOf } from './resources/price-changes.ts'
import { productsOf } from './resources/products.ts'
import { refundsOf } from './resources/refunds.ts'
import { reportsOf } from './resources/reports.ts'
import { sandboxOf, serviceOf } from './resources/service.ts'
import { settlementOf } from './resources/settlement.ts'
import { subscriptionsOf } from './resources/subscriptions.ts'
import { membersOf, ownMemberOf, sessionOf } from './resources/team.ts'
import { webhooksOf } from './resources/webhooks.ts'

/**
 * A client of the service. Every call rejects with `QuittanceError`. Bodies and results have their wire form, and
 * results are checked. Numeric amounts keep 15 digits; amounts that must not lose digits are texts.
 * Throws `TypeError` for an invalid base address.
 */
export const createClient = (options: ClientOptions) => {
  const connection = connect(options)
  return {
    products: productsOf(connection),
    customers: customersOf(connection),
    checkouts: checkoutsOf(connection),
    payments: paymentsOf(connection),
    refunds: refundsOf(connection),
    payouts: payoutsOf(connection),
    approvals: approvalsOf(connection),
    priceChanges: priceChangesOf(connection),
    subscriptions: subscriptionsOf(connection),
    credits: creditsOf(connection),
    exceptions: exceptionsOf(connection),
    merchant: merchantOf(connection),
    settlement: settlementOf(connection),
    webhooks: webhooksOf(connection),
    session: sessionOf(connection),
    members: membersOf(connection),
    ownMember: ownMemberOf(connection),
    apiKeys: apiKeysOf(connection),
    events: eventsOf(connection),
    reports: reportsOf(connection),
    catalogue: catalogueOf(connection),
    payer: payerOf(connection),
    service: serviceOf(connection),
    sandbox: sandboxOf(connection),
    /** Asks for another moment: what was true, or known, then. */
    asOf: asOf(connection),
  }
}

/** The client that `createClient` makes: the resources of the service, each with its requests. */
export type Client = ReturnType<typeof createClient>
