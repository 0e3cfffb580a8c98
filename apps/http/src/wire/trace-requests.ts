import { type Context, context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callerSpan } from './traceparent.ts'

type Traced = { readonly span: Span; readonly within: Context }

/**
 * Measures each request in a trace of its own, which its log lines name. The trace of a caller with a credential is linked
 * and never joined: so no caller chooses our ids or what is kept, and what a stranger sends is not even linked. Neither
 * addresses, headers, bodies nor ids of resources are told, but the route's pattern and the id of the request.
 */
export const traceRequests = (server: FastifyInstance): void => {
  const traced = new WeakMap<FastifyRequest, Traced>()
  server.addHook('onRequest', (request, reply, done) => {
    const { method, id, routeOptions } = request
    const route = routeOptions.url
    const span = trace.getTracer('quittance').startSpan(
      route === undefined ? method : `${method} ${route}`,
      {
        kind: SpanKind.SERVER,
        attributes: {
          'http.request.method': method,
          ...(route === undefined ? {} : { 'http.route': route }),
          'quittance.request.id': id,
        },
      },
      ROOT_CONTEXT,
    )
    const within = trace.setSpan(ROOT_CONTEXT, span)
    traced.set(request, { span, within })
    if (span.isRecording()) {
      const { traceId, spanId } = span.spanContext()
      request.log = reply.log = request.log.child({ trace_id: traceId, span_id: spanId })
    }
    context.with(within, done)
  })
  // A body arrives by events of its connection, which know nothing of the request.
  server.addHook('preValidation', (request, _reply, done) => {
    const found = traced.get(request)
    if (found === undefined) return done()
    context.with(found.within, done)
  })
  server.addHook('onResponse', async (request, { statusCode }) => {
    const found = traced.get(request)
    if (found === undefined) return
    const { span } = found
    const caller = request.principal === null ? null : callerSpan(request.headers.traceparent)
    if (caller !== null) span.addLink({ context: caller })
    span.setAttribute('http.response.status_code', statusCode)
    if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  })
}
