import type { Readiness } from '@quittance/host'
import { open, type RouteContext } from './route.ts'

/** `/health` says that the process answers; `/ready`, with numbers, whether what it stands on does. */
export const healthRoutes = ({ server }: Pick<RouteContext, 'server'>, readiness: () => Promise<Readiness>): void => {
  server.get('/health', open, async () => ({ status: 'ok' }))
  server.get('/ready', open, async (_request, reply) => {
    const found = await readiness()
    return reply.code(found.status === 'ready' ? 200 : 503).send(found)
  })
}
