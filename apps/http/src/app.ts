import rateLimit from '@fastify/rate-limit'
import type { Billing } from '@quittance/billing'
import type { Environment } from '@quittance/domain'
import {
  type BackgroundWork,
  type CatchUp,
  type Readiness,
  type SandboxInbox,
  type SandboxNode,
  sandboxWallet,
} from '@quittance/host'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { CheckoutPage } from './page/index.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { approvalRoutes } from './routes/approvals.ts'
import { catalogueRoutes } from './routes/catalogue.ts'
import { checkoutRoutes } from './routes/checkouts.ts'
import { creditRoutes } from './routes/credits.ts'
import { customerRoutes } from './routes/customers.ts'
import { dashboardFiles } from './routes/dashboard.ts'
import { eventRoutes } from './routes/events.ts'
import { evidenceRoutes } from './routes/evidence.ts'
import { exceptionRoutes } from './routes/exceptions.ts'
import { healthRoutes } from './routes/health.ts'
import { historyRoutes } from './routes/histories.ts'
import { inboxRoutes } from './routes/inbox.ts'
import { memberRoutes, ownMemberRoutes } from './routes/members.ts'
import { merchantRoutes } from './routes/merchant.ts'
import { pageFiles, pageRoutes } from './routes/pages.ts'
import { payerRoutes } from './routes/payer.ts'
import { paymentRoutes } from './routes/payments.ts'
import { payoutDestinationRoutes } from './routes/payout-destinations.ts'
import { payoutScheduleRoutes } from './routes/payout-schedules.ts'
import { payoutRoutes } from './routes/payouts.ts'
import { portalRoutes } from './routes/portal.ts'
import { portalEmailRoutes } from './routes/portal-email.ts'
import { portalEntryRoutes } from './routes/portal-entry.ts'
import { priceChangeRoutes } from './routes/price-changes.ts'
import { productRoutes } from './routes/products.ts'
import { receiptRoutes } from './routes/receipts.ts'
import { referenceFiles, withReference } from './routes/reference.ts'
import { refundRoutes } from './routes/refunds.ts'
import { reportRoutes } from './routes/reports.ts'
import { sandboxRoutes } from './routes/sandbox.ts'
import { sandboxSessionRoutes, sessionRoutes } from './routes/session.ts'
import { settlementRoutes } from './routes/settlement.ts'
import { startRoutes } from './routes/start.ts'
import { subscriptionRoutes } from './routes/subscriptions.ts'
import { tileFiles, transparencyRoutes } from './routes/transparency.ts'
import { walletRoutes } from './routes/wallets.ts'
import { webhookRoutes } from './routes/webhooks.ts'
import { wellKnownRoutes } from './routes/well-known.ts'
import { type DeclaredRoute, guardRoutes, principalOf } from './wire/auth.ts'
import { clientOf } from './wire/client-address.ts'
import { register } from './wire/register.ts'

export type AppOptions = {
  /** The address that payers use, once the service listens. */
  readonly publicUrl: () => string
  /** Requests a minute that one address may send to all payer routes together. */
  readonly payerRateLimit: number
  /** Requests a minute that one key may send to this process. Null: as many as it likes. */
  readonly keyRateLimit: number | null
  readonly catchUp: CatchUp
  readonly readiness: () => Promise<Pick<Readiness, 'status'>>
  /** Null when the testnet is a real network. */
  readonly sandbox: SandboxNode | null
  /** Where people look a transaction up, with `{hash}` in it; null for nowhere. */
  readonly explorers: Readonly<Record<Environment, string | null>>
  /** The relay by which payers use wallets on other devices; null for none. */
  readonly walletConnect: CheckoutPage['walletConnect']
  /** The mails of the sandbox. */
  readonly inbox: Pick<SandboxInbox, 'of' | 'all'> | null
  readonly work: Pick<BackgroundWork, 'forAdvance'>
}

const timeWindow = '1 minute'
const keyIdOf = (request: FastifyRequest): string => principalOf(request).keyId

/** Registers the routes on the server, and answers what they declare. */
export type MakeApp = () => Promise<ReadonlyArray<DeclaredRoute>>

/** Registers all routes of the service on a server, with nothing behind them but the billing core. */
export const createApp = async (
  server: FastifyInstance,
  billing: Billing,
  {
    publicUrl,
    payerRateLimit,
    keyRateLimit,
    catchUp,
    readiness,
    sandbox,
    explorers,
    walletConnect,
    inbox,
    work,
  }: AppOptions,
): Promise<ReadonlyArray<DeclaredRoute>> => {
  await server.register(rateLimit, { global: false, keyGenerator: clientOf })
  const routes = guardRoutes(server, billing)
  const bounds = {
    ofAddresses: server.rateLimit({ max: payerRateLimit, timeWindow }),
    ofKeys: keyRateLimit === null ? null : server.rateLimit({ max: keyRateLimit, timeWindow, keyGenerator: keyIdOf }),
  }
  pageFiles(server)
  dashboardFiles(server)
  tileFiles(server, billing.transparency, bounds.ofAddresses)
  const closing = new AbortController()
  server.addHook('preClose', async () => closing.abort())
  referenceFiles(server)
  register(
    server,
    withReference(publicUrl, [
      ...startRoutes({ isSandbox: sandbox !== null }),
      ...healthRoutes(readiness),
      ...productRoutes(billing),
      ...customerRoutes(billing),
      ...walletRoutes(billing),
      ...portalRoutes(billing),
      ...portalEmailRoutes(billing),
      ...portalEntryRoutes(billing),
      ...sessionRoutes(billing, { isSandbox: sandbox !== null }),
      ...memberRoutes(billing),
      ...ownMemberRoutes(billing),
      ...apiKeyRoutes(billing),
      ...checkoutRoutes(billing),
      ...paymentRoutes(billing, catchUp),
      ...creditRoutes(billing),
      ...refundRoutes(billing),
      ...payoutRoutes(billing),
      ...payoutDestinationRoutes(billing),
      ...payoutScheduleRoutes(billing),
      ...approvalRoutes(billing),
      ...subscriptionRoutes(billing, catchUp),
      ...priceChangeRoutes(billing),
      ...webhookRoutes(billing),
      ...exceptionRoutes(billing),
      ...evidenceRoutes(billing),
      ...merchantRoutes(billing),
      ...settlementRoutes(billing),
      ...eventRoutes(billing),
      ...historyRoutes(billing),
      ...reportRoutes(billing),
      ...catalogueRoutes(billing),
      ...payerRoutes(billing, closing.signal),
      ...wellKnownRoutes(billing),
      ...transparencyRoutes(billing),
      ...receiptRoutes(billing, { isSandbox: sandbox !== null, explorer: lookedUpAt(explorers) }, publicUrl),
      ...pageRoutes(billing, { sandbox: sandbox === null ? null : networkOf(sandbox), walletConnect }),
      ...(sandbox === null || inbox === null
        ? []
        : [
            ...inboxRoutes(inbox, publicUrl),
            ...sandboxSessionRoutes(billing),
            ...sandboxRoutes(billing, {
              sandbox: sandbox.sandbox,
              inbox,
              work,
              pay: sandboxWallet(sandbox.sandbox, sandbox.rpcUrl, billing.payer),
              catchUp,
            }),
          ]),
    ]),
    bounds,
    billing,
  )
  return routes
}

const lookedUpAt =
  (explorers: AppOptions['explorers']) =>
  (environment: Environment, hash: string): string | null =>
    explorers[environment]?.replaceAll('{hash}', hash) ?? null

const networkOf = ({ rpcUrl, friendbotUrl, sandbox }: SandboxNode): CheckoutPage['sandbox'] => ({
  rpcUrl,
  friendbotUrl,
  networkPassphrase: sandbox.networkPassphrase,
})
