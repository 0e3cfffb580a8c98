import type { Health } from '@quittance/host'
import Fastify, { type FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { tellBooks } from './books.ts'
import { tellPayoutTroubles } from './payout-troubles.ts'
import { measureRequests } from './request-times.ts'
import { tellSetbacks } from './setbacks.ts'
import { tellWaitingExceptions } from './waiting-exceptions.ts'

/** A server for `GET /metrics` alone: measurements of the requests of `server`, of the process, and of its health. */
export const metricsOf = (server: FastifyInstance, health: Health): FastifyInstance => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  measureRequests(server, registry)
  tellPayoutTroubles(health.payoutTroubles, registry)
  tellSetbacks(health.setbacks, registry)
  tellWaitingExceptions(health.waitingExceptions, registry)
  tellBooks(health, registry)
  const metrics = Fastify({ forceCloseConnections: true, exposeHeadRoutes: false })
  metrics.get('/metrics', async (_, reply) => reply.type(registry.contentType).send(await registry.metrics()))
  return metrics
}
