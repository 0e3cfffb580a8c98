import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Reader, readAnswer } from './answer.ts'
import { type Clock, systemClock } from './clock.ts'
import { exchange, type Fetch, type Sending } from './exchange.ts'
import { type ClientFailure, QuittanceError } from './failure.ts'
import { type Patience, withRetries } from './retries.ts'

/** Who asks: a secret key, an app token, or nobody, which is enough for payers. */
type Credential =
  | { readonly apiKey: string; readonly appToken?: never }
  | { readonly appToken: string; readonly apiKey?: never }
  | { readonly apiKey?: never; readonly appToken?: never }

export type ClientOptions = Credential & {
  /** Where the service is, such as `https://pay.example.com`. */
  readonly baseUrl: string
  /** For one attempt, in milliseconds: 30,000 unless said. */
  readonly timeoutMs?: number
  /** For a call with all its attempts and pauses, in milliseconds: 120,000 unless said. */
  readonly deadlineMs?: number
  /** Attempts after the first: 3 unless said. */
  readonly maxRetries?: number
  readonly fetch?: Fetch
  readonly clock?: Clock
  /** From 0 to 1. */
  readonly random?: () => number
}

export type CallOptions = { readonly signal?: AbortSignal }

/** A call that changes something. Without a key it gets one of its own, the same for all of its attempts. */
export type CommandOptions = CallOptions & { readonly idempotencyKey?: string }

/** Parameters of a query; those that are undefined are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>

export type Call<A> = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The segments of the path. */
  readonly path: ReadonlyArray<string>
  readonly query?: Query
  /** Sent as JSON. */
  readonly body?: unknown
  readonly answer: Reader<A>
  /** A status besides 2xx whose body is read as the answer. */
  readonly also?: number
  /** Whether it takes an idempotency key. Of what takes none, only reading is repeated. */
  readonly isCommand?: true
  /** Whether it is for anyone: the credential stays here. */
  readonly isPublic?: true
}

export type Connection = {
  /** The call's result. Rejects with `QuittanceError`. */
  readonly ask: <A>(call: Call<A>, options?: CommandOptions) => Promise<A>
  readonly patience: Patience
  readonly fetch: Fetch
  readonly sendingOf: (call: Omit<Call<unknown>, 'answer'>, key: string | null) => E.Either<ClientFailure, Sending>
}

/** Throws `TypeError` for a base address that is not http(s), or has a query, a fragment or a password in it. */
export const connect = (options: ClientOptions): Connection => {
  const base = baseOf(options.baseUrl)
  const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init))
  const patience: Patience = {
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    timeoutMs: options.timeoutMs ?? 30_000,
    deadlineMs: options.deadlineMs ?? 120_000,
    maxRetries: options.maxRetries ?? 3,
  }
  const credential = credentialOf(options)
  const sendingOf: Connection['sendingOf'] = ({ method, path, query = {}, body, isPublic }, key) =>
    pipe(
      pathOf(path),
      E.map((path) => ({
        method,
        url: `${base}${path}${queryOf(query)}`,
        headers: {
          ...(isPublic ? {} : credential),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === null ? {} : { 'idempotency-key': key }),
        },
        body: body === undefined ? null : JSON.stringify(body, exactly),
      })),
    )
  return {
    patience,
    fetch,
    sendingOf,
    ask: async (call, { idempotencyKey, signal = null } = {}) => {
      const key = call.isCommand ? (idempotencyKey ?? crypto.randomUUID()) : null
      const attempt = (sending: Sending) => (timeoutMs: number) =>
        pipe(
          exchange(fetch, patience.clock, sending, timeoutMs, signal),
          TE.chainEitherK((answer) => readAnswer(answer, call.answer, call.also ?? null)),
        )
      const outcome = await pipe(
        TE.fromEither(sendingOf(call, key)),
        TE.chain((sending) => withRetries(patience, call.method === 'GET' || key !== null, signal, attempt(sending))),
      )()
      if (E.isRight(outcome)) return outcome.right
      throw new QuittanceError(outcome.left, key)
    },
  }
}

const credentialOf = ({ apiKey, appToken }: Credential): Readonly<Record<string, string>> => {
  if (apiKey !== undefined) return { 'x-api-key': apiKey }
  return appToken === undefined ? {} : { 'x-app-token': appToken }
}

const baseOf = (baseUrl: string): string => {
  const { protocol, username, password, search, hash, href } = new URL(baseUrl)
  if (!/^https?:$/.test(protocol) || `${username}${password}${search}${hash}` !== '') {
    throw new TypeError('baseUrl must be an http or https address without password, query and fragment')
  }
  return href.replace(/\/+$/, '')
}

/** An id that is empty or has dots or slashes would make the path another one's. */
const pathOf = (segments: ReadonlyArray<string>): E.Either<ClientFailure, string> => {
  const foreign = segments.find((segment) => !/^[\w-]+$/.test(segment))
  return foreign === undefined ? E.right(`/${segments.join('/')}`) : E.left({ _tag: 'NotAnId', text: foreign })
}

const queryOf = (query: Query): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
  return parameters.size === 0 ? '' : `?${parameters}`
}

/** JSON would write null for them, and null takes things away. */
const exactly = (_: string, value: unknown): unknown => {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`${value} cannot be sent`)
  return value
}
