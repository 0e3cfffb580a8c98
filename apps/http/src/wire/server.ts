import { randomUUID } from 'node:crypto'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify'
import { HttpError, notFound } from './errors.ts'
import { parseExactly } from './exact-json.ts'

const bodyLimitBytes = 1024 * 1024

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it arrived; empty without one. */
    bodyText: string
  }
}

/** A server without routes: request ids, bodies read exactly, and one shape for every error. */
export const createServer = async (logLevel: string): Promise<FastifyInstance> => {
  const server = Fastify({
    logger: { level: logLevel, redact: ['req.headers'] },
    bodyLimit: bodyLimitBytes,
    genReqId: () => `req_${randomUUID()}`,
    requestTimeout: 30_000,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
  })
  await server.register(rateLimit, { global: false })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    request.bodyText = String(body)
    if (request.bodyText === '') return done(null, undefined)
    try {
      done(null, parseExactly(request.bodyText))
    } catch {
      done(new HttpError(400, 'malformed_json', 'The body is not valid JSON'))
    }
  })
  server.decorateRequest('bodyText', '')
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  server.setNotFoundHandler((request, reply) => sendError(reply, request.id, notFound('route')))
  server.setErrorHandler((error: FastifyError, request, reply) => {
    const known = error instanceof HttpError ? error : fromFramework(error)
    if (known === null) request.log.error({ err: error }, 'a defect')
    return sendError(
      reply,
      request.id,
      known ?? new HttpError(500, 'internal_error', 'Something went wrong on our side'),
    )
  })
  return server
}

const sendError = (reply: FastifyReply, requestId: string, error: HttpError) => {
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds)
  const param = error.param === undefined ? {} : { param: error.param }
  return reply.code(error.status).send({ error: error.message, code: error.code, ...param, request_id: requestId })
}

/** What the framework refuses by itself; null is a defect of ours. */
const fromFramework = ({ statusCode = 500, code }: FastifyError): HttpError | null => {
  switch (statusCode) {
    case 413:
      return new HttpError(413, 'body_too_large', 'The body is larger than 1 MiB')
    case 415:
      return new HttpError(415, 'unsupported_media_type', 'Send the body as application/json')
    case 429:
      return new HttpError(429, 'too_many_requests', 'Too many requests: slow down')
    default:
      return statusCode < 500
        ? new HttpError(statusCode, 'malformed_request', `The request is malformed (${code})`)
        : null
  }
}
