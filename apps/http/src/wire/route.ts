import type { Billing, CommandContext, Principal } from '@quittance/billing'
import { type Reads, scopedResources } from '@quittance/billing/scopes'
import type { ErrorCode } from '@quittance/client/wire'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as t from 'io-ts'
import { type Auth, principalOf, readsIn } from './auth.ts'
import { type BillingTask, runCommand } from './call.ts'
import { decodeBody } from './decode.ts'
import type { HttpError } from './errors.ts'
import { type NearMisses, refuseMisnamed } from './misnamed-fields.ts'
import type { Fields } from './problems/problem.ts'
import { lenientReader, type QueryReader, strictReader, textOf } from './query.ts'

/**
 * The content of a response: JSON by a codec, in `{ data }` or bare, or another media type. `isAlsoPage`: clients that
 * accept HTML get a page instead of JSON.
 */
export type Content =
  | { readonly _tag: 'data' | 'bare'; readonly codec: t.Mixed; readonly isAlsoPage?: boolean }
  | { readonly _tag: 'media'; readonly type: string }

/** A body for which a query parameter selects the codec. */
type ByQuery<Bodies> = { readonly _tag: 'ByQuery'; readonly parameter: string; readonly bodies: Bodies }
type Choice = ByQuery<Readonly<Record<string, t.Mixed>>>

/** What the service and its reference need to know of a route. */
type Facts = {
  /** In the syntax of Fastify: `/product/:id`. */
  readonly path: string
  readonly summary: string
  readonly auth: Auth
  /** Its own error codes, beside those of every route of its kind. */
  readonly problems?: ReadonlyArray<ErrorCode>
  /** Whether requests are limited per address. */
  readonly isBounded?: boolean
  /** A codec for each path parameter, for the reference. An invalid id is not found. */
  readonly params?: Readonly<Record<string, t.Mixed>>
  /** Its parameters. A route that takes a key has none by default, and refuses all others. */
  readonly query?: t.Mixed
  readonly body?: t.Mixed | Choice
  /** Of which objects of its body a field with nearly the right name is refused. Other unknown fields are ignored. */
  readonly nearMisses?: NearMisses
}

/** Shows an error to a browser, instead of JSON. */
type Refused = (error: HttpError, reply: FastifyReply) => FastifyReply

export type Route = Facts & {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Its responses by status, without errors. */
  readonly answers: Readonly<Record<number, Content>>
  /** Whether it takes an idempotency key. */
  readonly isCommand: boolean
  /** Whether people's links lead to it: it knows no aliases of its query parameters, and ignores unknown ones. */
  readonly isPage?: boolean
  /** Whether its body is an HTML form. */
  readonly isForm?: boolean
  /** Whether its response never ends by itself, so that HEAD is not served. */
  readonly isEndless?: boolean
  readonly refused?: Refused
  readonly respond: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}

type ParamNames<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | ParamNames<`/${More}`>
    : Rest
  : never

type Declared<Path extends string, Q extends t.Mixed, B extends t.Mixed | Choice> = Facts & {
  readonly path: Path
  readonly query?: Q
  readonly body?: B
} & ([ParamNames<Path>] extends [never]
    ? unknown
    : { readonly params: { readonly [Name in ParamNames<Path>]: t.Mixed } })

/** The decoded body; with a choice, also which codec was chosen. */
type BodyOf<B> =
  B extends ByQuery<infer Bodies>
    ? {
        readonly [Chosen in keyof Bodies]: { readonly chosen: Chosen; readonly body: Read<Bodies[Chosen]> }
      }[keyof Bodies]
    : Read<B>
type Read<C> = C extends t.Mixed ? t.TypeOf<C> : never

/** A request with its query decoded. */
type DecodedRequest<Path extends string, Q extends t.Mixed> = {
  readonly param: (name: ParamNames<Path>) => string
  readonly query: t.TypeOf<Q>
  /** The caller. Throws when the route takes no credential. */
  readonly principal: () => Principal
  /** What the caller may read. Throws when the route takes no credential. */
  readonly reads: () => Reads
  readonly request: FastifyRequest
}

/** The codec of `data`, or of the whole body when `isBare`. */
type Json<C extends t.Mixed> = { readonly answer: C; readonly isBare?: boolean }

/** A route without idempotency key. Its handler answers a value of `answer`, or throws `HttpError`. */
export const route = <
  const Path extends string,
  C extends t.Mixed,
  Q extends t.Mixed = t.UnknownC,
  B extends t.Mixed | Choice = t.UnknownC,
>(
  declared: Declared<Path, Q, B> &
    Json<C> & {
      readonly method: Route['method']
      readonly refused?: Refused
      readonly handler: (
        request: DecodedRequest<Path, Q>,
        body: BodyOf<B>,
        reply: FastifyReply,
      ) => Promise<t.OutputOf<C>>
    },
): Route => {
  const query = parametersOf(declared)
  const readQuery = readerOf<Q>(query, strictReader)
  return {
    ...declared,
    ...query,
    answers: { 200: contentOf(declared) },
    isCommand: false,
    respond: async (request, reply) => {
      const decoded = decodedRequest<Path, Q>(readQuery, request)
      return envelope(declared, await declared.handler(decoded, bodyOf(declared, request), reply))
    },
  }
}

/**
 * A route with an idempotency key, whose handler runs once for each key, under its claim. Query and body are decoded
 * after the claim, so that a reused key is refused before its request is judged. `fields` maps the
 * subjects of failures to fields of the request. `receipt` is the answer to an app token that may not read what it
 * writes; `all` where the answer shows nothing else than the request.
 */
export const command = <
  const Path extends string,
  C extends t.Mixed,
  Q extends t.Mixed = t.UnknownC,
  B extends t.Mixed | Choice = t.UnknownC,
>(
  billing: Billing,
  declared: Declared<Path, Q, B> &
    Json<C> & {
      readonly method: 'POST' | 'PUT' | 'DELETE'
      readonly receipt: Receipt
      readonly fields?: Fields
      readonly handler: (
        context: CommandContext,
        body: BodyOf<B>,
        request: DecodedRequest<Path, Q>,
      ) => BillingTask<t.OutputOf<C>>
    },
): Route => {
  const query = parametersOf(declared)
  const readQuery = readerOf<Q>(query, strictReader)
  return {
    ...declared,
    ...query,
    answers: { 200: contentOf({ ...declared, answer: answerOrReceipt(declared) }) },
    isCommand: true,
    respond: async (request) => {
      const run = (context: CommandContext) => {
        const decoded = decodedRequest<Path, Q>(readQuery, request)
        return declared.handler(context, bodyOf(declared, request), decoded)
      }
      const answer = await runCommand(billing, request, run, declared.fields)
      return envelope(declared, mayRead(declared, request) ? answer : receiptOf(declared.receipt, answer))
    },
  }
}

type Receipt = t.InterfaceType<t.Props> | 'all'

/** An answer to many is a list of receipts. */
const answerOrReceipt = ({ answer, receipt }: { readonly answer: t.Mixed; readonly receipt: Receipt }): t.Mixed => {
  if (receipt === 'all') return answer
  return answer instanceof t.UnionType
    ? t.union([answer, receipt, t.readonlyArray(receipt)])
    : t.union([answer, receipt])
}

/** Whether the caller may read what the route writes. */
const mayRead = ({ auth }: Facts, request: FastifyRequest): boolean => {
  const family = scopedResources.find((each) => auth.kind === 'key' && auth.scope === `${each}:write`)
  return family === undefined || readsIn(request)(family)
}

const receiptOf = (receipt: Receipt, answer: unknown): unknown => {
  if (receipt === 'all') return answer
  if (Array.isArray(answer)) return answer.map((each) => receiptOf(receipt, each))
  const shown = Object.entries(Object(answer)).filter(([field]) => field in receipt.props)
  return Object.fromEntries(shown)
}

/** A route that sends its own response, such as a page or a stream. `answers` describes it. */
export const page = <const Path extends string, Q extends t.Mixed = t.UnknownC>(
  declared: Declared<Path, Q, t.UnknownC> & {
    readonly answers: Route['answers']
    readonly isEndless?: boolean
    readonly refused?: Refused
    readonly handler: (request: DecodedRequest<Path, Q>, reply: FastifyReply) => Promise<unknown>
  },
): Route => {
  const readQuery = readerOf<Q>(declared, lenientReader)
  return {
    ...declared,
    method: 'GET',
    isCommand: false,
    isPage: true,
    respond: (request, reply) => declared.handler(decodedRequest<Path, Q>(readQuery, request), reply),
  }
}

/** The target of an HTML form. It sends its own response. */
export const form = <const Path extends string, B extends t.Mixed>(
  declared: Declared<Path, t.UnknownC, B> & {
    readonly body: B
    readonly answers: Route['answers']
    readonly refused?: Refused
    readonly handler: (
      request: DecodedRequest<Path, t.UnknownC>,
      body: t.TypeOf<B>,
      reply: FastifyReply,
    ) => Promise<unknown>
  },
): Route => ({
  ...declared,
  method: 'POST',
  isCommand: false,
  isForm: true,
  respond: (request, reply) =>
    declared.handler(
      decodedRequest<Path, t.UnknownC>(() => undefined, request),
      bodyOf(declared, request),
      reply,
    ),
})

/** Selects the codec of a body by a query parameter. */
export const byQuery = <Bodies extends Choice['bodies']>(parameter: string, bodies: Bodies): ByQuery<Bodies> => ({
  _tag: 'ByQuery',
  parameter,
  bodies,
})

const contentOf = ({ answer, isBare }: Json<t.Mixed>): Content => ({ _tag: isBare ? 'bare' : 'data', codec: answer })

const envelope = ({ isBare }: Json<t.Mixed>, answer: unknown): unknown => (isBare ? answer : { data: answer })

/** A decoded value whose type is known where the route is declared. */
type Decoded = t.TypeOf<t.Mixed>

const noParameters = t.type({})

const parametersOf = ({ auth, query }: Facts): Pick<Facts, 'query'> => {
  if (query !== undefined) return { query }
  return auth.kind === 'key' ? { query: noParameters } : {}
}

const readerOf = <Q extends t.Mixed>(
  { query }: Pick<Facts, 'query'>,
  reader: (codec: t.Mixed) => QueryReader<Decoded>,
): QueryReader<t.TypeOf<Q>> => (query === undefined ? () => undefined : reader(query))

const decodedRequest = <Path extends string, Q extends t.Mixed>(
  readQuery: QueryReader<t.TypeOf<Q>>,
  request: FastifyRequest,
): DecodedRequest<Path, Q> => ({
  param: (name) => pathParameter(request, name),
  query: readQuery(request.query),
  principal: () => principalOf(request),
  reads: () => readsIn(request),
  request,
})

const bodyOf = ({ body, nearMisses }: Facts, request: FastifyRequest): Decoded => {
  if (body === undefined) return undefined
  const decoded = (codec: t.Mixed): Decoded => {
    if (nearMisses !== undefined) refuseMisnamed(codec, request.body, nearMisses)
    return decodeBody(codec, request.body)
  }
  if (!('bodies' in body)) return decoded(body)
  const chosen = textOf(request.query, body.parameter)
  const codec = body.bodies[chosen]
  if (codec === undefined) throw new Error(`no body is declared for ${body.parameter}=${chosen}`)
  return { chosen, body: decoded(codec) }
}

/** A path parameter, which the route's pattern guarantees. */
const pathParameter = ({ params }: FastifyRequest, name: string): string => {
  const value =
    typeof params === 'object' && params !== null ? Object.getOwnPropertyDescriptor(params, name)?.value : null
  if (typeof value !== 'string') throw new Error(`the route has no parameter ${name}`)
  return value
}
