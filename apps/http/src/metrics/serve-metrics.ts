import type { Platform } from '@quittance/host'
import Fastify, { type FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { tellPayoutTroubles } from './payout-troubles.ts'
import { measureRequests } from './request-times.ts'
import { tellWaitingExceptions } from './waiting-exceptions.ts'

/** A server for `GET /metrics` alone: the requests of `server`, the process, what keeps money from going out and
 * what waits for a person. */
export const metricsOf = (
  server: FastifyInstance,
  { payoutTroubles, waitingExceptions }: Pick<Platform, 'payoutTroubles' | 'waitingExceptions'>,
): FastifyInstance => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  measureRequests(server, registry)
  tellPayoutTroubles(payoutTroubles, registry)
  tellWaitingExceptions(waitingExceptions, registry)
  const metrics = Fastify({ forceCloseConnections: true, exposeHeadRoutes: false })
  metrics.get('/metrics', async (_, reply) => reply.type(registry.contentType).send(await registry.metrics()))
  return metrics
}
