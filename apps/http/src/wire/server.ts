import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { type AddressRanges, LogUnreadable, noRanges } from '@quittance/billing'
import { readsOf } from '@quittance/billing/scopes'
import { ForbiddenKey, parseExactly } from '@quittance/client/wire'
import { isStoreFailure } from '@quittance/event-store/sqlite'
import { logStream, traceIdsNow } from '@quittance/host'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { addressIn } from './client-address.ts'
import { HttpError, invalid } from './errors.ts'
import { loggedRequest, OneLinePerRequest } from './logged-request.ts'
import { storeDown } from './problems/problem.ts'
import { isRepeated } from './repeated-header.ts'

const bodyLimitBytes = 1024 * 1024
const headLimitBytes = 16 * 1024

/** How long the head and the whole of a request may take to arrive. Slower connections are closed with 408. */
export type Patience = { readonly headMs: number; readonly requestMs: number; readonly lookEveryMs: number }

const patience: Patience = { headMs: 10_000, requestMs: 30_000, lookEveryMs: 1_000 }

declare module 'fastify' {
  interface FastifyRequest {
    /** The raw body; empty without one. */
    bodyText: string
  }
}

/**
 * A server without routes, with request ids, exact parsing of bodies, and one shape for all errors. `trusted`: the proxies
 * whose headers tell the client's address and protocol, read from the right; what anybody else sends there is ignored.
 */
export const createServer = (
  logLevel: string,
  { headMs, requestMs, lookEveryMs }: Patience = patience,
  trusted: AddressRanges = noRanges,
): FastifyInstance => {
  const server = Fastify({
    http: { headersTimeout: headMs, connectionsCheckingInterval: lookEveryMs, maxHeaderSize: headLimitBytes },
    logger: { level: logLevel, serializers: { req: loggedRequest }, mixin: traceIdsNow, stream: logStream() },
    logController: new OneLinePerRequest(),
    bodyLimit: bodyLimitBytes,
    trustProxy: (entry) => trusted.holds(addressIn(entry) ?? ''),
    genReqId: newRequestId,
    requestTimeout: requestMs,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    frameworkErrors: answerError,
    clientErrorHandler: answerUnreadable,
  })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    request.bodyText = String(body)
    if (request.bodyText === '') return done(null, undefined)
    try {
      done(null, parseExactly(request.bodyText))
    } catch (cause) {
      done(unreadable(cause))
    }
  })
  server.decorateRequest('bodyText', '')
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    if (isRepeated(request, 'host'))
      throw new HttpError(400, 'malformed_request', 'The header "host" must be sent once')
    done()
  })
  server.setNotFoundHandler((request, reply) => sendError(request, reply, noSuchRoute()))
  server.setErrorHandler(answerError)
  return server
}

const unreadable = (cause: unknown): HttpError => {
  if (cause instanceof ForbiddenKey) return invalid('body', 'The body has a key "__proto__", which is not accepted')
  if (cause instanceof RangeError) return invalid('body', 'The body is nested too deeply')
  return new HttpError(400, 'malformed_json', 'The body is not valid JSON')
}

const noSuchRoute = () => new HttpError(404, 'not_found', 'No such route: GET /docs shows all there are')

const newRequestId = (): string => `req_${randomUUID()}`

const answerError = (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  if (isStoreFailure(error)) request.log.warn({ reason: error.message }, 'the store cannot answer')
  const known = refusalIn(error)
  if (known === null) request.log.error({ err: error }, 'a defect')
  return sendError(request, reply, known ?? new HttpError(500, 'internal_error', 'Something went wrong on our side'))
}

const sendError = (request: FastifyRequest, reply: FastifyReply, error: HttpError): FastifyReply => {
  const { id } = request
  reply.header('x-request-id', id)
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds)
  return reply
    .code(error.status)
    .type('application/json; charset=utf-8')
    .send(bodyOf(visibleError(request, error), id))
}

/** An app token that may not read what a message tells gets the code alone. */
const visibleError = ({ principal }: FastifyRequest, error: HttpError): HttpError => {
  const { status, code, tells, param } = error
  if (tells === undefined || !principal || readsOf(principal)(tells)) return error
  const message = `Refused, for a reason that only a holder of ${tells}:read may know in detail`
  return new HttpError(status, code, message, { ...(param && { param }) })
}

const bodyOf = ({ message, code, param }: HttpError, requestId: string) => ({
  error: message,
  code,
  ...(param === undefined ? {} : { param }),
  request_id: requestId,
})

/** The refusal that the caller sees; null for a defect. */
export const refusalIn = (error: FastifyError): HttpError | null => {
  if (error instanceof HttpError) return error
  return isStoreFailure(error) || error instanceof LogUnreadable ? new HttpError(...storeDown) : fromFramework(error)
}

/** The refusal behind an error of Fastify; null for a defect. */
const fromFramework = ({ statusCode = 500, code }: FastifyError): HttpError | null => {
  switch (statusCode) {
    case 413:
      return new HttpError(413, 'body_too_large', 'The body is larger than 1 MiB')
    case 414:
      return noSuchRoute()
    case 415:
      return new HttpError(415, 'unsupported_media_type', 'Send the body as application/json')
    case 429:
      return new HttpError(429, 'too_many_requests', 'Too many requests: slow down')
    default:
      return statusCode < 500 ? new HttpError(statusCode, 'malformed_request', malformed(code)) : null
  }
}

const malformed = (code: string): string =>
  code === 'FST_ERR_BAD_URL' ? 'The address is malformed: it cannot be percent-decoded' : 'The request is malformed'

/** Answers unparsable requests, which reach no route, in the shape of all errors. */
const answerUnreadable = (error: Error & { readonly code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const id = newRequestId()
  const [status, reason] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'Request Header Fields Too Large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'Request Timeout']
        : [400, 'Bad Request']
  const body = JSON.stringify(bodyOf(new HttpError(status, 'malformed_request', 'The request cannot be read'), id))
  const headers = ['content-type: application/json', `content-length: ${body.length}`, `x-request-id: ${id}`]
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${headers.join('\r\n')}\r\nconnection: close\r\n\r\n${body}`)
}
