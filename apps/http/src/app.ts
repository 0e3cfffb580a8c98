import type { Billing } from '@quittance/billing'
import type { Sandbox } from '@quittance/sandbox'
import type { FastifyInstance } from 'fastify'
import type { CheckoutPage } from './page/index.ts'
import { catalogueRoutes } from './routes/catalogue.ts'
import { checkoutRoutes } from './routes/checkouts.ts'
import { customerRoutes } from './routes/customers.ts'
import { healthRoutes } from './routes/health.ts'
import { pageRoutes } from './routes/pages.ts'
import { payerRoutes } from './routes/payer.ts'
import { paymentRoutes } from './routes/payments.ts'
import { productRoutes } from './routes/products.ts'
import { sandboxRoutes, type Work } from './routes/sandbox.ts'
import { createServer } from './wire/server.ts'

export type AppOptions = {
  readonly logLevel: string
  /** Requests a minute of one address to the payer routes. */
  readonly payerRateLimit: number
  readonly sandbox: { readonly sandbox: Sandbox; readonly network: CheckoutPage['sandbox']; readonly work: Work } | null
}

/** The HTTP service: routes over the billing core, and nothing that the core does not know. */
export const createApp = async (
  billing: Billing,
  { logLevel, payerRateLimit, sandbox }: AppOptions,
): Promise<FastifyInstance> => {
  const server = await createServer(logLevel)
  const context = { server, billing }
  healthRoutes(context)
  productRoutes(context)
  customerRoutes(context)
  checkoutRoutes(context)
  paymentRoutes(context)
  catalogueRoutes(context)
  payerRoutes(context, payerRateLimit)
  pageRoutes(context, payerRateLimit, sandbox?.network ?? null)
  if (sandbox !== null) sandboxRoutes(context, sandbox.sandbox, sandbox.work)
  return server
}
