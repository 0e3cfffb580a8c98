import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Answer } from './exchange.ts'
import type { ClientFailure, Refusal } from './failure.ts'

/** How the body of a success is read. */
export type Reader<A> = (body: unknown) => t.Validation<A>

export const bare =
  <A, O>(codec: t.Type<A, O, unknown>): Reader<A> =>
  (body) =>
    codec.decode(body)

/** What is in `data`. */
export const data = <A, O>(codec: t.Type<A, O, unknown>): Reader<A> => {
  const envelope = t.type({ data: codec })
  return (body) =>
    pipe(
      envelope.decode(body),
      E.map((read) => read.data),
    )
}

/** What an answer says: a success by its reader, all else as a refusal. `also` is a status besides 2xx that succeeds. */
export const readAnswer = <A>(answer: Answer, reader: Reader<A>, also: number | null): E.Either<ClientFailure, A> => {
  const { status, headers, text } = answer
  if ((status < 200 || status > 299) && status !== also) return E.left(refusalOf(answer))
  if (text === null) return E.left(unreadable(status, 'it is too large'))
  const type = headers.get('content-type') ?? 'nothing'
  return /^application\/json\b/i.test(type)
    ? readJson(status, text, reader)
    : E.left(unreadable(status, `it is ${type}, not JSON`))
}

export const readJson = <A>(status: number, text: string, reader: Reader<A>): E.Either<ClientFailure, A> =>
  pipe(
    parse(text),
    E.mapLeft(() => unreadable(status, 'it is not valid JSON')),
    E.chain((body) =>
      pipe(
        reader(body),
        E.mapLeft((errors) => unreadable(status, faultIn(errors))),
      ),
    ),
  )

const unreadable = (status: number, reason: string): ClientFailure => ({ _tag: 'Unreadable', status, reason })

const parse = (text: string): E.Either<unknown, unknown> => E.tryCatch((): unknown => JSON.parse(text), E.toError)

/** The first field that is wrong. What it holds is not told: it may be personal. */
const faultIn = (errors: t.Errors): string => {
  const context = errors[0]?.context ?? []
  const path = context.map(({ key }) => key).filter((key) => key !== '')
  return `"${path.join('.')}" is not ${context.at(-1)?.type.name ?? 'as declared'}`
}

const Said = t.intersection([t.type({ error: t.string }), t.partial({ code: t.string, param: t.string })])

export const refusalOf = ({ status, headers, text }: Answer): Refusal => {
  const said = pipe(parse(text ?? ''), E.chainW(Said.decode))
  const { error, code, param } = E.isRight(said) ? said.right : { error: `The answer was ${status}` }
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

/** Seconds, or a moment, which is compared with the answer's own: the clocks here and there may differ. */
const retryAfterMs = (headers: Headers): number | null => {
  const after = headers.get('retry-after')
  if (after === null) return null
  const ms = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.parse(headers.get('date') ?? '')
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}
