import type { Billing } from '@quittance/billing'
import type { EventStore } from '@quittance/event-store'
import type { Health } from '@quittance/host'
import Fastify, { type FastifyInstance } from 'fastify'
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client'
import type { Siblings } from '../processes/siblings.ts'
import { measureEvents } from './event-counts.ts'
import { measureHealth } from './health-metrics.ts'
import { operatorRoutes } from './operator-routes.ts'
import { measureReadiness } from './readiness-metrics.ts'
import { measureRequests } from './request-times.ts'
import { measureWebhooks } from './webhook-delays.ts'

/**
 * A server for operators: `GET /metrics` measures the requests of `server`, the process and its health, and `GET /ready`
 * tells with numbers whether its dependencies work. With `operatorToken`, it takes the operator's commands too. The requests
 * that `siblings` answer are counted in.
 */
export const metricsOf = (
  server: FastifyInstance,
  health: Health,
  billing: Pick<Billing, 'freezes' | 'log' | 'screening'>,
  log: Pick<EventStore, 'readAll'>,
  operatorToken: string | null,
  siblings: Pick<Siblings, 'requests'> | null = null,
): FastifyInstance => {
  const registry = new Registry()
  const requests = new Registry()
  collectDefaultMetrics({ register: registry })
  measureRequests(server, requests)
  measureHealth(health, registry)
  measureReadiness(health, registry)
  const end = async (): Promise<bigint | null> => {
    const { store } = await health.readiness()
    return store === null ? null : BigInt(store.position)
  }
  measureWebhooks(health, registry)
  measureEvents(log, end, registry)
  const metrics = Fastify({ forceCloseConnections: true, exposeHeadRoutes: false })
  metrics.get('/metrics', async (_, reply) => {
    const all = AggregatorRegistry.aggregate([
      await requests.getMetricsAsJSON(),
      ...((await siblings?.requests()) ?? []),
    ])
    return reply.type(registry.contentType).send(`${await registry.metrics()}${await all.metrics()}`)
  })
  metrics.get('/ready', async (_, reply) => {
    const found = await health.readiness()
    return reply.code(found.status === 'ready' ? 200 : 503).send(found)
  })
  operatorRoutes(metrics, billing, operatorToken)
  return metrics
}
