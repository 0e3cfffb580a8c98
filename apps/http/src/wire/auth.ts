import type { Billing, PortalVisit, Principal } from '@quittance/billing'
import { anyDestination, type KeyScope, type Reads, readsOf } from '@quittance/billing/scopes'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as O from 'fp-ts/lib/Option.js'
import { HttpError } from './errors.ts'
import { visitorOf } from './portal-cookie.ts'

/**
 * The credential that a route takes; every route declares one. `key`: a secret key in `x-api-key`, or an app token with
 * the scope in `x-app-token`, and those of `also`; a null scope admits no app token. `portal`: the cookie of a portal
 * session.
 */
export type Auth =
  | { readonly kind: 'key'; readonly scope: KeyScope | null; readonly also?: ReadonlyArray<KeyScope> }
  | { readonly kind: 'portal' }
  | { readonly kind: 'none' }

export const keyed = (scope: KeyScope, ...also: ReadonlyArray<KeyScope>): Auth => ({ kind: 'key', scope, also })
export const keyAlone: Auth = { kind: 'key', scope: null }
export const visited: Auth = { kind: 'portal' }
export const open: Auth = { kind: 'none' }

declare module 'fastify' {
  interface FastifyContextConfig {
    auth?: Auth
  }
  interface FastifyRequest {
    /** The caller; null when the route takes no credential. */
    principal: Principal | null
    /** The portal session; null without one. */
    visitor: PortalVisit | null
  }
}

export type DeclaredRoute = { readonly method: string; readonly url: string; readonly auth: Auth }

/**
 * Checks the declared credential before anything else of the request is read. Answers the list of routes, which grows
 * as they are registered. Throws when a route declares no credential.
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
  server.addHook('onRequest', async (request) => {
    const auth = request.routeOptions.config.auth
    if (auth?.kind === 'key') request.principal = await authenticate(billing, auth, request)
    if (auth?.kind === 'portal') request.visitor = await visitorOf(billing, request)
  })
  return routes
}

/** The caller. Throws when the route takes no key. */
export const principalOf = ({ principal, routeOptions }: FastifyRequest): Principal => {
  if (principal === null) throw new Error(`${routeOptions.url} asks for its caller and takes no credential`)
  return principal
}

/** Whether a caller may send money to an address that nobody has proven or registered. */
export const mayNameAnyAddress = ({ kind, scopes }: Principal): boolean =>
  kind === 'secret' || scopes.includes(anyDestination)

/** What the caller may read. Throws when the route takes no key. */
export const readsIn = (request: FastifyRequest): Reads => readsOf(principalOf(request))

/**
 * Throws 401 in the words of the interface without a credential, 401 for an unknown or ended credential, 403 for an app
 * token that lacks the scope or is not admitted, and 400 for two credentials, which might name two merchants.
 */
const authenticate = async (
  billing: Billing,
  { scope, also = [] }: Extract<Auth, { readonly kind: 'key' }>,
  { headers }: FastifyRequest,
): Promise<Principal> => {
  const [key, token] = [given(headers['x-api-key']), given(headers['x-app-token'])]
  if (key !== null && token !== null) {
    throw new HttpError(400, 'two_credentials', 'Send "x-api-key" or "x-app-token", not both')
  }
  if (key !== null) {
    const principal = await bearerOf(billing, 'secret', key)
    if (principal === null) throw new HttpError(401, 'invalid_api_key', 'The API key is invalid or revoked')
    return principal
  }
  if (token === null) throw new HttpError(401, 'unauthorized', credentialMissing(headers.authorization))
  const principal = await bearerOf(billing, 'app', token)
  if (principal === null) throw new HttpError(401, 'invalid_app_token', 'The app token is invalid or revoked')
  if (scope === null)
    throw new HttpError(403, 'scope_missing', 'This takes a secret key in "x-api-key", and no app token')
  const lacking = [scope, ...also].find((each) => !principal.scopes.includes(each))
  if (lacking !== undefined) throw new HttpError(403, 'scope_missing', `The app token lacks the scope ${lacking}`)
  return principal
}

/** Whoever sends a credential as other services take it is told the header of its kind. */
const credentialMissing = (authorization: string | undefined): string => {
  const needed = 'Session Token or API Key or App Token required'
  if (authorization === undefined) return needed
  const header = /^Bearer\s+app_/i.test(authorization)
    ? 'the app token in the header "x-app-token"'
    : 'the API key in the header "x-api-key"'
  return `${needed}: send ${header}, without "Bearer". "Authorization" is not read`
}

const given = (header: string | ReadonlyArray<string> | undefined): string | null =>
  typeof header === 'string' && header !== '' ? header : null

/** Each kind of credential is valid in its own header alone. */
const bearerOf = async (
  { merchants }: Billing,
  kind: Principal['kind'],
  credential: string,
): Promise<Principal | null> => {
  const principal = O.toNullable(await merchants.authenticate(credential))
  return principal?.kind === kind ? principal : null
}
