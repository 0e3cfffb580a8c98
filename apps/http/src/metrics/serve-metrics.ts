import Fastify, { type FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { measureRequests } from './request-times.ts'

/** A server for `GET /metrics` alone: the requests of `server`, and the process, as Prometheus reads them. */
export const metricsOf = (server: FastifyInstance): FastifyInstance => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  measureRequests(server, registry)
  const metrics = Fastify({ forceCloseConnections: true, exposeHeadRoutes: false })
  metrics.get('/metrics', async (_, reply) => reply.type(registry.contentType).send(await registry.metrics()))
  return metrics
}
