import rateLimit from '@fastify/rate-limit'
import type { Billing } from '@quittance/billing'
import { type BackgroundWork, type CatchUp, type Readiness, type SandboxNode, sandboxWallet } from '@quittance/host'
import type { FastifyInstance } from 'fastify'
import type { CheckoutPage } from './page/index.ts'
import { catalogueRoutes } from './routes/catalogue.ts'
import { checkoutRoutes } from './routes/checkouts.ts'
import { creditRoutes } from './routes/credits.ts'
import { customerRoutes } from './routes/customers.ts'
import { eventRoutes } from './routes/events.ts'
import { exceptionRoutes } from './routes/exceptions.ts'
import { healthRoutes } from './routes/health.ts'
import { pageFiles, pageRoutes } from './routes/pages.ts'
import { payerRoutes } from './routes/payer.ts'
import { paymentRoutes } from './routes/payments.ts'
import { payoutDestinationRoutes } from './routes/payout-destinations.ts'
import { payoutScheduleRoutes } from './routes/payout-schedules.ts'
import { payoutRoutes } from './routes/payouts.ts'
import { portalRoutes } from './routes/portal.ts'
import { productRoutes } from './routes/products.ts'
import { referenceFiles, withReference } from './routes/reference.ts'
import { refundRoutes } from './routes/refunds.ts'
import { sandboxRoutes } from './routes/sandbox.ts'
import { settlementRoutes } from './routes/settlement.ts'
import { subscriptionRoutes } from './routes/subscriptions.ts'
import { walletRoutes } from './routes/wallets.ts'
import { webhookRoutes } from './routes/webhooks.ts'
import { wellKnownRoutes } from './routes/well-known.ts'
import { type DeclaredRoute, guardRoutes } from './wire/auth.ts'
import { clientOf } from './wire/client-address.ts'
import { register } from './wire/register.ts'

export type AppOptions = {
  /** Requests a minute that one address may send to all payer routes together. */
  readonly payerRateLimit: number
  readonly catchUp: CatchUp
  readonly readiness: () => Promise<Readiness>
  /** Null when the testnet is a real network. */
  readonly sandbox: SandboxNode | null
  readonly work: Pick<BackgroundWork, 'forAdvance'>
}

/** Registers the routes on the server, and answers what they declare. */
export type MakeApp = () => Promise<ReadonlyArray<DeclaredRoute>>

/** Registers all routes of the service on a server, with nothing behind them but the billing core. */
export const createApp = async (
  server: FastifyInstance,
  billing: Billing,
  { payerRateLimit, catchUp, readiness, sandbox, work }: AppOptions,
): Promise<ReadonlyArray<DeclaredRoute>> => {
  await server.register(rateLimit, { global: false, keyGenerator: clientOf })
  const routes = guardRoutes(server, billing)
  const bounded = { onRequest: server.rateLimit({ max: payerRateLimit, timeWindow: '1 minute' }) }
  pageFiles(server)
  const closing = new AbortController()
  server.addHook('preClose', async () => closing.abort())
  referenceFiles(server)
  register(
    server,
    withReference([
      ...healthRoutes(readiness),
      ...productRoutes(billing),
      ...customerRoutes(billing),
      ...walletRoutes(billing),
      ...portalRoutes(billing),
      ...checkoutRoutes(billing),
      ...paymentRoutes(billing, catchUp),
      ...creditRoutes(billing),
      ...refundRoutes(billing),
      ...payoutRoutes(billing),
      ...payoutDestinationRoutes(billing),
      ...payoutScheduleRoutes(billing),
      ...subscriptionRoutes(billing, catchUp),
      ...webhookRoutes(billing),
      ...exceptionRoutes(billing),
      ...settlementRoutes(billing),
      ...eventRoutes(billing),
      ...catalogueRoutes(billing),
      ...payerRoutes(billing, closing.signal),
      ...wellKnownRoutes(billing),
      ...pageRoutes(billing, sandbox === null ? null : networkOf(sandbox)),
      ...(sandbox === null
        ? []
        : sandboxRoutes(billing, {
            sandbox: sandbox.sandbox,
            work,
            pay: sandboxWallet(sandbox.sandbox, sandbox.rpcUrl, billing.payer),
            catchUp,
          })),
    ]),
    bounded,
    billing,
  )
  return routes
}

const networkOf = ({ rpcUrl, friendbotUrl, sandbox }: SandboxNode): CheckoutPage['sandbox'] => ({
  rpcUrl,
  friendbotUrl,
  networkPassphrase: sandbox.networkPassphrase,
})
