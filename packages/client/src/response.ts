import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { HttpResponse } from './exchange.ts'
import type { ClientFailure, Refusal } from './failure.ts'

/** Reads the body of a success. */
export type Reader<A> = (body: unknown) => t.Validation<A>

export const bare =
  <A, O>(codec: t.Type<A, O, unknown>): Reader<A> =>
  (body) =>
    codec.decode(body)

/** Reads the `data` field. */
export const data = <A, O>(codec: t.Type<A, O, unknown>): Reader<A> => {
  const envelope = t.type({ data: codec })
  return (body) => {
    const read = envelope.decode(body)
    return E.isLeft(read) ? read : E.right(read.right.data)
  }
}

/** Reads a success, or turns any other response into a refusal. `also` is a successful status besides 2xx. */
export const readResponse = <A>(
  answer: HttpResponse,
  reader: Reader<A>,
  also: number | null,
): E.Either<ClientFailure, A> => {
  const { status, headers, text } = answer
  if ((status < 200 || status > 299) && status !== also) return E.left(refusalOf(answer))
  if (text === null) return E.left(unreadable(status, 'it is too large'))
  const type = headers.get('content-type') ?? 'nothing'
  return /^application\/json\b/i.test(type)
    ? readJson(status, text, reader)
    : E.left(unreadable(status, `it is ${type}, not JSON`))
}

export const readJson = <A>(status: number, text: string, reader: Reader<A>): E.Either<ClientFailure, A> => {
  const body = parse(text)
  if (E.isLeft(body)) return E.left(unreadable(status, 'it is not valid JSON'))
  const read = reader(body.right)
  return E.isLeft(read) ? E.left(unreadable(status, faultIn(read.left))) : read
}

const unreadable = (status: number, reason: string): ClientFailure => ({ _tag: 'Unreadable', status, reason })

const parse = (text: string): E.Either<unknown, unknown> => E.tryCatch((): unknown => JSON.parse(text), E.toError)

/** Names the first invalid field, without its value, which may be personal. */
const faultIn = (errors: t.Errors): string => {
  const context = errors[0]?.context ?? []
  const path = context.map(({ key }) => key).filter((key) => key !== '')
  return `"${path.join('.')}" is not ${context.at(-1)?.type.name ?? 'as declared'}`
}

const ErrorBody = t.intersection([t.type({ error: t.string }), t.partial({ code: t.string, param: t.string })])

export const refusalOf = ({ status, headers, text }: HttpResponse): Refusal => {
  const body = parse(text ?? '')
  const read = E.isLeft(body) ? body : ErrorBody.decode(body.right)
  const { error, code, param } = E.isRight(read) ? read.right : { error: `The answer was ${status}` }
  return {
    _tag: 'Refused',
    status,
    code: code ?? null,
    message: error,
    param: param ?? null,
    requestId: headers.get('x-request-id'),
    retryAfterMs: retryAfterMs(headers),
  }
}

/** Reads seconds, or a date relative to the response's own, since the two clocks may differ. */
const retryAfterMs = (headers: Headers): number | null => {
  const after = headers.get('retry-after')
  if (after === null) return null
  const ms = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.parse(headers.get('date') ?? '')
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}
