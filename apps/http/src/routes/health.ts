import { Health, Readiness } from '@quittance/client/wire'
import type { Readiness as Found } from '@quittance/host'
import { open } from '../wire/auth.ts'
import { page, type Route, route } from '../wire/route.ts'

/** `/health` tells that the process runs; `/ready` tells, with numbers, whether its dependencies work. */
export const healthRoutes = (readiness: () => Promise<Found>): ReadonlyArray<Route> => [
  route({
    method: 'GET',
    path: '/health',
    summary: 'Tell that the process answers',
    auth: open,
    answer: Health,
    isBare: true,
    handler: async () => ({ status: 'ok' as const }),
  }),
  page({
    path: '/ready',
    summary: 'Tell whether requests can be answered',
    auth: open,
    answers: { 200: { _tag: 'bare', codec: Readiness }, 503: { _tag: 'bare', codec: Readiness } },
    handler: async (_, reply) => {
      const found = await readiness()
      return reply.code(found.status === 'ready' ? 200 : 503).send(found)
    },
  }),
]
