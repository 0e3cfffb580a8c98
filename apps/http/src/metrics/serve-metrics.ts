import type { Health } from '@quittance/host'
import Fastify, { type FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { measureHealth } from './health-metrics.ts'
import { measureRequests } from './request-times.ts'

/** A server for `GET /metrics` alone, which measures the requests of `server`, the process and its health. */
export const metricsOf = (server: FastifyInstance, health: Health): FastifyInstance => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  measureRequests(server, registry)
  measureHealth(health, registry)
  const metrics = Fastify({ forceCloseConnections: true, exposeHeadRoutes: false })
  metrics.get('/metrics', async (_, reply) => reply.type(registry.contentType).send(await registry.metrics()))
  return metrics
}
