import type { Billing } from '@quittance/billing'
import type { FastifyInstance, RouteShorthandOptions } from 'fastify'
import { answerOf } from '../wire/call.ts'

/** What wallets ask a domain, from any page, before they trust what it has signed (SEP-1). */
export const wellKnownRoutes = (server: FastifyInstance, billing: Billing, bounded: RouteShorthandOptions): void => {
  server.get('/.well-known/stellar.toml', bounded, async (_request, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .header('x-content-type-options', 'nosniff')
      .type('text/plain; charset=utf-8')
      .send(await answerOf(billing.stellarToml)),
  )
}
