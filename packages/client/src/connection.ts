import type { Environment } from '@quittance/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { type Clock, systemClock } from './clock.ts'
import { exchange, type Fetch, type HttpRequest } from './exchange.ts'
import { type ClientFailure, QuittanceError } from './failure.ts'
import { type Reader, readResponse } from './response.ts'
import { type RetryPolicy, withRetries } from './retries.ts'

/**
 * The caller's credential: a secret key, an app token, or none, which suffices for payers, and for the members of a team, whose
 * session is in a cookie. `environment`: which network a member means; the testnet by default.
 */
type Credential =
  | { readonly apiKey: string; readonly appToken?: never; readonly environment?: never }
  | { readonly appToken: string; readonly apiKey?: never; readonly environment?: never }
  | { readonly apiKey?: never; readonly appToken?: never; readonly environment?: Environment }

/** The address of the service, the credential, and how requests are sent and repeated. */
export type ClientOptions = Credential & {
  /** The service's address, such as `https://pay.example.com`. */
  readonly baseUrl: string
  /** Time-out of one attempt in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number
  /** Time-out of a call with all attempts and pauses in milliseconds; 120,000 by default. */
  readonly deadlineMs?: number
  /** Retries after the first attempt; 3 by default. */
  readonly maxRetries?: number
  readonly fetch?: Fetch
  readonly clock?: Clock
  /** A random number from 0 to 1. */
  readonly random?: () => number
}

/** Given with each request: a signal that ends it. */
export type CallOptions = { readonly signal?: AbortSignal }

/** Options of a call that changes something. Without a key the client makes one for all attempts. */
export type CommandOptions = CallOptions & { readonly idempotencyKey?: string }

/** Query parameters; undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>

export type Call<A> = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path's segments. */
  readonly path: ReadonlyArray<string>
  readonly query?: Query
  /** Sent as JSON. */
  readonly body?: unknown
  readonly answer: Reader<A>
  /** A successful status besides 2xx. */
  readonly also?: number
  /** Whether the call takes an idempotency key. Without one, only reads are retried. */
  readonly isCommand?: true
  /** Whether the call is public and sends no credential. */
  readonly isPublic?: true
}

export type Connection = {
  /** Answers the call's result. Rejects with `QuittanceError`. */
  readonly ask: <A>(call: Call<A>, options?: CommandOptions) => Promise<A>
  readonly retryPolicy: RetryPolicy
  readonly fetch: Fetch
  readonly requestOf: (call: Omit<Call<unknown>, 'answer'>, key: string | null) => E.Either<ClientFailure, HttpRequest>
}

/** Throws `TypeError` for a base address that is not http(s), or contains a query, fragment or password. */
export const connect = (options: ClientOptions): Connection => {
  const base = baseOf(options.baseUrl)
  const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init))
  const retryPolicy: RetryPolicy = {
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    timeoutMs: options.timeoutMs ?? 30_000,
    deadlineMs: options.deadlineMs ?? 120_000,
    maxRetries: options.maxRetries ?? 3,
  }
  const credential = credentialOf(options)
  const requestOf: Connection['requestOf'] = ({ method, path: segments, query = {}, body, isPublic }, key) => {
    const path = pathOf(segments)
    if (E.isLeft(path)) return path
    const headers = {
      ...(isPublic ? {} : credential),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === null ? {} : { 'idempotency-key': key }),
    }
    const url = `${base}${path.right}${queryOf(query)}`
    const json = body === undefined ? E.right(null) : jsonOf(body)
    return E.isLeft(json) ? json : E.right({ method, url, headers, body: json.right })
  }
  return {
    retryPolicy,
    fetch,
    requestOf,
    ask: async (call, { idempotencyKey, signal = null } = {}) => {
      const key = call.isCommand ? (idempotencyKey ?? crypto.randomUUID()) : null
      const request = requestOf(call, key)
      if (E.isLeft(request)) throw new QuittanceError(request.left, key)
      const isRepeatable = call.method === 'GET' || key !== null
      const outcome = await withRetries(retryPolicy, isRepeatable, signal, async (timeoutMs) => {
        const response = await exchange(fetch, retryPolicy.clock, request.right, timeoutMs, signal)
        return E.isLeft(response) ? response : readResponse(response.right, call.answer, call.also ?? null)
      })
      if (E.isRight(outcome)) return outcome.right
      throw new QuittanceError(outcome.left, key)
    },
  }
}

const credentialOf = ({ apiKey, appToken, environment }: Credential): Readonly<Record<string, string>> => {
  if (apiKey !== undefined) return { 'x-api-key': apiKey }
  if (appToken !== undefined) return { 'x-app-token': appToken }
  return environment === undefined ? {} : { 'x-environment': environment }
}

const baseOf = (baseUrl: string): string => {
  const { protocol, username, password, search, hash, href } = new URL(baseUrl)
  if (!/^https?:$/.test(protocol) || `${username}${password}${search}${hash}` !== '') {
    throw new TypeError('baseUrl must be an http or https address without password, query and fragment')
  }
  return href.replace(/\/+$/, '')
}

/** Rejects an empty id, or one with dots or slashes, which would change the path. */
const pathOf = (segments: ReadonlyArray<string>): E.Either<ClientFailure, string> => {
  const foreign = segments.find((segment) => !/^[\w-]+$/.test(segment))
  return foreign === undefined ? E.right(`/${segments.join('/')}`) : E.left({ _tag: 'NotAnId', text: foreign })
}

const queryOf = (query: Query): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
  return parameters.size === 0 ? '' : `?${parameters}`
}

const jsonOf = (body: unknown): E.Either<ClientFailure, string> =>
  E.tryCatch(
    () => JSON.stringify(body, exactly),
    (cause) => ({ _tag: 'NotSendable', reason: cause instanceof Error ? cause.message : String(cause) }),
  )

/** JSON would write null, which clears a field. */
const exactly = (_: string, value: unknown): unknown => {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`${value} cannot be sent`)
  return value
}
