import type { Billing, Principal } from '@quittance/billing'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as O from 'fp-ts/lib/Option.js'
import { HttpError } from './errors.ts'

/** What a restricted credential must be allowed for a route; a secret key may do everything. */
export type Scope = `${'products' | 'customers' | 'checkouts' | 'payments' | 'sandbox'}:${'read' | 'write'}`

/** Which credential a route takes. Every route says so: `key` is a secret key in `x-api-key`. */
export type Auth = { readonly kind: 'key'; readonly scope: Scope } | { readonly kind: 'none' }

export const keyed = (scope: Scope): Auth => ({ kind: 'key', scope })
export const open: Auth = { kind: 'none' }

declare module 'fastify' {
  interface FastifyContextConfig {
    auth?: Auth
  }
  interface FastifyRequest {
    /** Who asks; null where the route takes no credential. */
    principal: Principal | null
  }
}

export type DeclaredRoute = { readonly method: string; readonly url: string; readonly auth: Auth }

/**
 * Checks the credential that each route declares before anything of the request is read, and answers the list of
 * routes, which grows as they are made. Throws when a route is made that does not say which credential it takes.
 */
export const guardRoutes = (server: FastifyInstance, billing: Billing): ReadonlyArray<DeclaredRoute> => {
  const routes: Array<DeclaredRoute> = []
  server.decorateRequest('principal', null)
  server.addHook('onRoute', ({ method, url, config }) => {
    const auth = config?.auth
    if (auth === undefined) throw new Error(`${method} ${url} does not say which credential it takes`)
    for (const each of [method].flat()) routes.push({ method: each, url, auth })
  })
  server.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.auth?.kind === 'key') request.principal = authenticate(billing, request)
  })
  return routes
}

/** The caller of a route that takes a key. */
export const principalOf = ({ principal, routeOptions }: FastifyRequest): Principal => {
  if (principal === null) throw new Error(`${routeOptions.url} asks for its caller and takes no credential`)
  return principal
}

/** Throws 401 in the words of the interface when nobody says who asks, and for a key that is unknown or revoked. */
const authenticate = (billing: Billing, { headers }: FastifyRequest): Principal => {
  const key = headers['x-api-key']
  if (typeof key !== 'string' || key === '') {
    throw new HttpError(401, 'unauthorized', 'Session Token or API Key or App Token required')
  }
  const principal = billing.merchants.authenticate(key)
  if (O.isNone(principal) || principal.value.kind !== 'secret') {
    throw new HttpError(401, 'invalid_api_key', 'The API key is invalid or revoked')
  }
  return principal.value
}
