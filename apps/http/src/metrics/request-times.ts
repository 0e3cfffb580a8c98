import type { FastifyInstance } from 'fastify'
import { Histogram, type Registry } from 'prom-client'

const boundsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Measures the duration of requests in seconds, by method, route and status. The route is the pattern, so that no id
 * and no text of a stranger becomes a label. Unknown routes are labelled `none`.
 */
export const measureRequests = (server: FastifyInstance, registry: Registry): void => {
  const times = new Histogram({
    name: 'quittance_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: boundsSeconds,
    registers: [registry],
  })
  server.addHook('onResponse', async ({ method, routeOptions }, { elapsedTime, statusCode }) => {
    times.observe({ method, route: routeOptions.url ?? 'none', status: statusCode }, elapsedTime / 1_000)
  })
}
