import type { Billing } from '@quittance/billing'
import { open } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { page, type Route } from '../wire/route.ts'

/** The facts about this domain that wallets read before they trust its signatures (SEP-1). */
export const wellKnownRoutes = (billing: Billing): ReadonlyArray<Route> => [
  page({
    path: '/.well-known/stellar.toml',
    summary: 'Tell wallets about this domain (SEP-1)',
    auth: open,
    isBounded: true,
    answers: { 200: { _tag: 'media', type: 'text/plain' } },
    handler: async (_, reply) =>
      reply
        .header('access-control-allow-origin', '*')
        .header('x-content-type-options', 'nosniff')
        .type('text/plain; charset=utf-8')
        .send(await answerOf(billing.stellarToml)),
  }),
]
