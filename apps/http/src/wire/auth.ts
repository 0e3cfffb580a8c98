import { type Billing, type PortalVisit, type Principal, principalOfMember, type SignedIn } from '@quittance/billing'
import { anyDestination, type KeyScope, type Reads, readsOf } from '@quittance/billing/scopes'
import type { Environment } from '@quittance/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { HttpError, invalid } from './errors.ts'
import { sessionSecretOf, sessionTokenOf } from './member-cookie.ts'
import { visitorOf } from './portal-cookie.ts'
import { problemOf } from './problems.ts'

/**
 * The credential that a route takes; every route declares one. `key`: a secret key in `x-api-key`, or an app token with
 * the scope in `x-app-token`, and those of `also`; a null scope admits no app token. In their place the session of a member,
 * whose role has the scopes. `member`: such a session alone; of an `owner`, or of any whose sign-in is `recent`. `portal`: the
 * cookie of a portal session.
 */
export type Auth =
  | { readonly kind: 'key'; readonly scope: KeyScope | null; readonly also?: ReadonlyArray<KeyScope> }
  | { readonly kind: 'member'; readonly needs: 'session' | 'owner' | 'recent' }
  | { readonly kind: 'portal' }
  | { readonly kind: 'none' }

export const keyed = (scope: KeyScope, ...also: ReadonlyArray<KeyScope>): Auth => ({ kind: 'key', scope, also })
export const keyAlone: Auth = { kind: 'key', scope: null }
export const signedIn: Auth = { kind: 'member', needs: 'session' }
export const owner: Auth = { kind: 'member', needs: 'owner' }
export const recentlySignedIn: Auth = { kind: 'member', needs: 'recent' }
export const visited: Auth = { kind: 'portal' }
export const open: Auth = { kind: 'none' }

declare module 'fastify' {
  interface FastifyContextConfig {
    auth?: Auth
  }
  interface FastifyRequest {
    /** The caller; null when the route takes no credential. */
    principal: Principal | null
    /** The member whose session it is; null without one. */
    member: SignedIn | null
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
  server.decorateRequest('member', null)
  server.decorateRequest('visitor', null)
  server.addHook('onRoute', ({ method, url, config }) => {
    const auth = config?.auth
    if (auth === undefined) throw new Error(`${method} ${url} does not say which credential it takes`)
    for (const each of [method].flat()) routes.push({ method: each, url, auth })
  })
  server.addHook('onRequest', async (request) => {
    const auth = request.routeOptions.config.auth
    if (auth?.kind === 'key') request.principal = await authenticate(billing, auth, request)
    if (auth?.kind === 'member') request.member = await memberFor(billing, auth.needs, request)
    if (auth?.kind === 'portal') request.visitor = await visitorOf(billing, request)
  })
  return routes
}

/** The caller. Throws when the route takes no key. */
export const principalOf = ({ principal, routeOptions }: FastifyRequest): Principal => {
  if (principal === null) throw new Error(`${routeOptions.url} asks for its caller and takes no credential`)
  return principal
}

/** The member. Throws when the route takes no session alone. */
export const memberOf = ({ member, routeOptions }: FastifyRequest): SignedIn => {
  if (member === null) throw new Error(`${routeOptions.url} asks for a member and takes no session`)
  return member
}

/** Whether a caller may send money to an address that nobody has proven or registered. */
export const mayNameAnyAddress = ({ kind, scopes }: Principal): boolean =>
  kind === 'secret' || scopes.includes(anyDestination)

/** What the caller may read. Throws when the route takes no key. */
export const readsIn = (request: FastifyRequest): Reads => readsOf(principalOf(request))

/**
 * Throws 401 in the words of the interface without a credential, 401 for an unknown or ended credential, 403 for an app
 * token or a member who lacks the scope or is not admitted, and 400 for two credentials, which might name two merchants.
 */
const authenticate = async (
  billing: Billing,
  { scope, also = [] }: Extract<Auth, { readonly kind: 'key' }>,
  request: FastifyRequest,
): Promise<Principal> => {
  const { headers } = request
  const [key, token] = [given(headers['x-api-key']), given(headers['x-app-token'])]
  if ([key, token, sessionTokenOf(request)].filter((each) => each !== null).length > 1) {
    throw new HttpError(400, 'two_credentials', 'Send one of "x-api-key", "x-app-token" and "x-session-token"')
  }
  if (key !== null) {
    const principal = await bearerOf(billing, 'secret', key)
    if (principal === null) throw new HttpError(401, 'invalid_api_key', 'The API key is invalid or revoked')
    return principal
  }
  if (token === null) {
    const principal = principalOfMember(await memberFor(billing, 'session', request), environmentOf(request))
    return withScopes(principal, scope, also, 'role')
  }
  const principal = await bearerOf(billing, 'app', token)
  if (principal === null) throw new HttpError(401, 'invalid_app_token', 'The app token is invalid or revoked')
  return withScopes(principal, scope, also, 'app token')
}

const withScopes = (
  principal: Principal,
  scope: KeyScope | null,
  also: ReadonlyArray<KeyScope>,
  what: 'app token' | 'role',
): Principal => {
  if (principal.kind === 'secret') return principal
  if (scope === null)
    throw new HttpError(
      403,
      'scope_missing',
      what === 'role'
        ? 'This takes an owner or an admin of the team'
        : 'This takes a secret key in "x-api-key", and no app token',
    )
  const lacking = [scope, ...also].find((each) => !principal.scopes.includes(each))
  if (lacking !== undefined) throw new HttpError(403, 'scope_missing', `The ${what} lacks the scope ${lacking}`)
  return principal
}

/** The member of a session. Throws 401 without one, and 403 where the route needs more. */
const memberFor = async (
  billing: Billing,
  needs: Extract<Auth, { readonly kind: 'member' }>['needs'],
  request: FastifyRequest,
): Promise<SignedIn> => {
  const secret = sessionSecretOf(billing, request)
  if (secret === null) throw new HttpError(401, 'unauthorized', credentialMissing(request.headers.authorization))
  const { sessions } = billing.team
  const found = await sessions.find(secret)
  if (E.isLeft(found)) throw problemOf(found.left, {})
  const member = found.right
  if (member === null) throw new HttpError(401, 'invalid_session', 'The session is over: sign in')
  if (needs === 'owner' && member.role !== 'owner')
    throw new HttpError(403, 'owner_needed', 'Only owners of the team may do this')
  if (needs === 'recent' && !sessions.isRecent(member))
    throw new HttpError(403, 'sign_in_again', 'Sign in again first: the last sign-in is 15 minutes ago')
  return member
}

/** The network that a member means. */
export const environmentOf = ({ headers }: FastifyRequest): Environment => {
  const named = headers['x-environment'] ?? 'testnet'
  if (named === 'testnet' || named === 'mainnet') return named
  throw invalid('x-environment', '"x-environment" must be testnet or mainnet')
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
  const found = await merchants.authenticate(credential)()
  if (E.isLeft(found)) throw problemOf(found.left, {})
  const principal = O.toNullable(found.right)
  return principal?.kind === kind ? principal : null
}
