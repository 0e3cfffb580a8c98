import type { Platform } from '@quittance/host'
import Fastify, { type FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { tellBooks } from './books.ts'
import { tellPayoutTroubles } from './payout-troubles.ts'
import { measureRequests } from './request-times.ts'
import { tellSetbacks } from './setbacks.ts'
import { tellWaitingExceptions } from './waiting-exceptions.ts'

/** A server for `GET /metrics` alone: the requests of `server`, the process, what keeps money from going out,
 * what waits for a person, and how the books fare. */
export const metricsOf = (
  server: FastifyInstance,
  platform: Pick<Platform, 'payoutTroubles' | 'setbacks' | 'waitingExceptions' | 'books' | 'readiness'>,
): FastifyInstance => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  measureRequests(server, registry)
  tellPayoutTroubles(platform.payoutTroubles, registry)
  tellSetbacks(platform.setbacks, registry)
  tellWaitingExceptions(platform.waitingExceptions, registry)
  tellBooks(platform, registry)
  const metrics = Fastify({ forceCloseConnections: true, exposeHeadRoutes: false })
  metrics.get('/metrics', async (_, reply) => reply.type(registry.contentType).send(await registry.metrics()))
  return metrics
}
