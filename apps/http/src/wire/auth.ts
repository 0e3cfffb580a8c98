import type { Billing, PortalVisit, Principal } from '@quittance/billing'
import type { KeyScope } from '@quittance/billing/scopes'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as O from 'fp-ts/lib/Option.js'
import { HttpError } from './errors.ts'
import { visitorOf } from './portal-cookie.ts'

/**
 * Which credential a route takes. Every route says so. `key`: a secret key in `x-api-key`, or an app token with the scope
 * in `x-app-token`; where the scope is null, no app token will do. `portal`: the cookie of a portal session.
 */
export type Auth =
  | { readonly kind: 'key'; readonly scope: KeyScope | null }
  | { readonly kind: 'portal' }
  | { readonly kind: 'none' }

export const keyed = (scope: KeyScope): Auth => ({ kind: 'key', scope })
export const keyAlone: Auth = { kind: 'key', scope: null }
export const visited: Auth = { kind: 'portal' }
export const open: Auth = { kind: 'none' }

declare module 'fastify' {
  interface FastifyContextConfig {
    auth?: Auth
  }
  interface FastifyRequest {
    /** Who asks; null where the route takes no credential. */
    principal: Principal | null
    /** Whose portal session it is; null without one. */
    visitor: PortalVisit | null
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
  server.decorateRequest('visitor', null)
  server.addHook('onRoute', ({ method, url, config }) => {
    const auth = config?.auth
    if (auth === undefined) throw new Error(`${method} ${url} does not say which credential it takes`)
    for (const each of [method].flat()) routes.push({ method: each, url, auth })
  })
  // Not async: every request comes through here, and a promise would be all that it waits for.
  server.addHook('onRequest', (request, _, done) => {
    const auth = request.routeOptions.config.auth
    if (auth?.kind === 'key') request.principal = authenticate(billing, auth.scope, request)
    if (auth?.kind === 'portal') request.visitor = visitorOf(billing, request)
    done()
  })
  return routes
}

/** The caller of a route that takes a key. */
export const principalOf = ({ principal, routeOptions }: FastifyRequest): Principal => {
  if (principal === null) throw new Error(`${routeOptions.url} asks for its caller and takes no credential`)
  return principal
}

/**
 * Throws 401 in the words of the interface when nobody says who asks, 401 for a credential that is unknown or has ended,
 * 403 for an app token that lacks the scope or will not do, and 400 for two credentials: they might not mean the same
 * merchant.
 */
const authenticate = (billing: Billing, scope: KeyScope | null, { headers }: FastifyRequest): Principal => {
  const [key, token] = [given(headers['x-api-key']), given(headers['x-app-token'])]
  if (key !== null && token !== null) {
    throw new HttpError(400, 'two_credentials', 'Send "x-api-key" or "x-app-token", not both')
  }
  if (key !== null) {
    const principal = bearerOf(billing, 'secret', key)
    if (principal === null) throw new HttpError(401, 'invalid_api_key', 'The API key is invalid or revoked')
    return principal
  }
  if (token === null) throw new HttpError(401, 'unauthorized', 'Session Token or API Key or App Token required')
  const principal = bearerOf(billing, 'app', token)
  if (principal === null) throw new HttpError(401, 'invalid_app_token', 'The app token is invalid or revoked')
  if (scope === null)
    throw new HttpError(403, 'scope_missing', 'This takes a secret key in "x-api-key", and no app token')
  if (!principal.scopes.includes(scope)) {
    throw new HttpError(403, 'scope_missing', `The app token lacks the scope ${scope}`)
  }
  return principal
}

const given = (header: string | ReadonlyArray<string> | undefined): string | null =>
  typeof header === 'string' && header !== '' ? header : null

/** Each kind of credential has a header of its own, and is none in the other. */
const bearerOf = ({ merchants }: Billing, kind: Principal['kind'], credential: string): Principal | null => {
  const principal = O.toNullable(merchants.authenticate(credential))
  return principal?.kind === kind ? principal : null
}
