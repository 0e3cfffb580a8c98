import { Health, Ready } from '@quittance/client/wire'
import type { Readiness as Found } from '@quittance/host'
import { open } from '../wire/auth.ts'
import { page, type Route, route } from '../wire/route.ts'

/**
 * `/health` tells that the process runs; `/ready` tells whether its dependencies work, and to strangers nothing else. The
 * server of the metrics tells operators more.
 */
export const healthRoutes = (readiness: () => Promise<Pick<Found, 'status'>>): ReadonlyArray<Route> => [
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
    answers: { 200: { _tag: 'bare', codec: Ready }, 503: { _tag: 'bare', codec: Ready } },
    handler: async (_, reply) => {
      const { status } = await readiness()
      return reply.code(status === 'ready' ? 200 : 503).send({ status })
    },
  }),
]
