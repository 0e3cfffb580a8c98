import type { Billing, CommandContext, Principal } from '@quittance/billing'
import type { ErrorCode } from '@quittance/client/wire'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type * as t from 'io-ts'
import { type Auth, principalOf } from './auth.ts'
import { type BillingTask, runCommand } from './call.ts'
import { decodeBody, decodeQuery, single } from './decode.ts'
import type { HttpError } from './errors.ts'
import type { Fields } from './problems/problem.ts'

/** What an answer carries: JSON by a codec, in `{ data }` or bare, or something else by its media type. */
export type Content =
  | { readonly _tag: 'data' | 'bare'; readonly codec: t.Mixed }
  | { readonly _tag: 'media'; readonly type: string }

/** A body that is read by one of several codecs, which a parameter of the query names. */
type ByQuery<Bodies> = { readonly _tag: 'ByQuery'; readonly parameter: string; readonly bodies: Bodies }
type Choice = ByQuery<Readonly<Record<string, t.Mixed>>>

/** What is served, and what the reference says of it. */
type Facts = {
  /** As fastify writes it: `/product/:id`. */
  readonly path: string
  readonly summary: string
  readonly auth: Auth
  /** The codes of its own, beside those that follow from the kind of route it is. */
  readonly problems?: ReadonlyArray<ErrorCode>
  /** Whether the requests of one address to it are bounded. */
  readonly isBounded?: boolean
  /** A codec for each parameter of the path, which describes it: what is no such id is not found. */
  readonly params?: Readonly<Record<string, t.Mixed>>
  readonly query?: t.Mixed
  readonly body?: t.Mixed | Choice
  /** A body for the reference; left out: one of the fields that it must have. */
  readonly example?: Readonly<Record<string, unknown>>
}

/** What a browser is shown instead of JSON where a request is refused before its handler, or by what it throws. */
type Refused = (error: HttpError, reply: FastifyReply) => FastifyReply

/** A route as it is registered and described. */
export type Route = Facts & {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Its answers by status, beside those of the shape of every error. */
  readonly answers: Readonly<Record<number, Content>>
  /** Whether it takes an idempotency key. */
  readonly isCommand: boolean
  /** Whether it also takes what a form of a page sends. */
  readonly isForm?: boolean
  /** Whether it answers until it is left, and so not to HEAD. */
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

/** What a body is read as; where there is a choice, with which of them it was. */
type BodyOf<B> =
  B extends ByQuery<infer Bodies>
    ? {
        readonly [Chosen in keyof Bodies]: { readonly chosen: Chosen; readonly body: Read<Bodies[Chosen]> }
      }[keyof Bodies]
    : Read<B>
type Read<C> = C extends t.Mixed ? t.TypeOf<C> : never

/** What a handler is given of a request, its query decoded. */
type DecodedRequest<Path extends string, Q extends t.Mixed> = {
  readonly param: (name: ParamNames<Path>) => string
  readonly query: t.TypeOf<Q>
  /** Whose credential it came with. Throws where the route takes none. */
  readonly principal: () => Principal
  readonly request: FastifyRequest
}

/** What goes into `data`; where `isBare`, the whole of the body. */
type Json<C extends t.Mixed> = { readonly answer: C; readonly isBare?: boolean }

/** A route that needs no idempotency key. Its handler answers what `answer` says, or throws `HttpError`. */
export const route = <
  const Path extends string,
  C extends t.Mixed,
  Q extends t.Mixed = t.UnknownC,
  B extends t.Mixed | Choice = t.UnknownC,
>(
  declared: Declared<Path, Q, B> &
    Json<C> & {
      readonly method: Route['method']
      readonly handler: (request: DecodedRequest<Path, Q>, body: BodyOf<B>) => Promise<t.OutputOf<C>>
    },
): Route => ({
  ...declared,
  answers: { 200: contentOf(declared) },
  isCommand: false,
  respond: async (request) => {
    const decoded = decodedRequest<Path, Q>(declared, request)
    return envelope(declared, await declared.handler(decoded, bodyOf(declared, request)))
  },
})

/**
 * A route that takes an idempotency key: its handler runs once for each, under the key's claim. The query is read
 * before the claim and the body after it: a used key is refused before the body of its request is judged. `fields` are
 * the request's names of what a failure may be about.
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
      readonly fields?: Fields
      readonly handler: (
        context: CommandContext,
        body: BodyOf<B>,
        request: DecodedRequest<Path, Q>,
      ) => BillingTask<t.OutputOf<C>>
    },
): Route => ({
  ...declared,
  answers: { 200: contentOf(declared) },
  isCommand: true,
  respond: async (request) => {
    const decoded = decodedRequest<Path, Q>(declared, request)
    const run = (context: CommandContext) => declared.handler(context, bodyOf(declared, request), decoded)
    return envelope(declared, await runCommand(billing, request, run, declared.fields))
  },
})

/** A route that answers by itself, as pages and streams do: with what `answers` says by status. */
export const page = <const Path extends string, Q extends t.Mixed = t.UnknownC>(
  declared: Declared<Path, Q, t.UnknownC> & {
    readonly answers: Route['answers']
    readonly isEndless?: boolean
    readonly refused?: Refused
    readonly handler: (request: DecodedRequest<Path, Q>, reply: FastifyReply) => Promise<unknown>
  },
): Route => ({
  ...declared,
  method: 'GET',
  isCommand: false,
  respond: (request, reply) => declared.handler(decodedRequest<Path, Q>(declared, request), reply),
})

/** What a form of a page is sent to. It answers by itself, as pages do. */
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
    declared.handler(decodedRequest<Path, t.UnknownC>(declared, request), bodyOf(declared, request), reply),
})

/** The codec of a body that depends on a parameter of the query, by the values of that parameter. */
export const byQuery = <Bodies extends Choice['bodies']>(parameter: string, bodies: Bodies): ByQuery<Bodies> => ({
  _tag: 'ByQuery',
  parameter,
  bodies,
})

const contentOf = ({ answer, isBare }: Json<t.Mixed>): Content => ({ _tag: isBare ? 'bare' : 'data', codec: answer })

const envelope = ({ isBare }: Json<t.Mixed>, answer: unknown): unknown => (isBare ? answer : { data: answer })

/** What a codec reads of which no more is known here. The types of a declaration say it where it is used. */
type Decoded = t.TypeOf<t.Mixed>

const decodedRequest = <Path extends string, Q extends t.Mixed>(
  { query }: Facts,
  request: FastifyRequest,
): DecodedRequest<Path, Q> => {
  const decoded: Decoded = query === undefined ? undefined : decodeQuery(query, request.query)
  return {
    param: (name) => pathParameter(request, name),
    query: decoded,
    principal: () => principalOf(request),
    request,
  }
}

const bodyOf = ({ body }: Facts, request: FastifyRequest): Decoded => {
  if (body === undefined) return undefined
  if (!('bodies' in body)) return decodeBody(body, request.body)
  const chosen = single(request.query)[body.parameter] ?? ''
  const codec = body.bodies[chosen]
  if (codec === undefined) throw new Error(`no body is declared for ${body.parameter}=${chosen}`)
  return { chosen, body: decodeBody(codec, request.body) }
}

/** A parameter that the route's own pattern guarantees. */
const pathParameter = ({ params }: FastifyRequest, name: string): string => {
  const value =
    typeof params === 'object' && params !== null ? Object.getOwnPropertyDescriptor(params, name)?.value : null
  if (typeof value !== 'string') throw new Error(`the route has no parameter ${name}`)
  return value
}
