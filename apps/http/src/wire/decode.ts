import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { invalid } from './errors.ts'
import { exactMetadata, hasMetadata } from './exact-metadata.ts'

/**
 * Decodes a body, or throws the 400 that names the first wrong field. Ignores unknown fields. Metadata must be exact.
 */
export const decodeBody = <C extends t.Mixed>(codec: C, body: unknown): t.TypeOf<C> => {
  const decoded = decodeFields(codec, body)
  if (!hasMetadata(codec)) return decoded
  for (const each of Array.isArray(body) ? body : [body]) if (t.UnknownRecord.is(each)) exactMetadata(each.metadata)
  return decoded
}

/** Decodes a query, or throws the 400 that names the first parameter that is wrong or repeated. */
export const decodeQuery = <C extends t.Mixed>(codec: C, query: unknown): t.TypeOf<C> =>
  decodeFields(codec, single(query))

const decodeFields = <C extends t.Mixed>(codec: C, input: unknown): t.TypeOf<C> => {
  const decoded = codec.decode(input)
  if (E.isRight(decoded)) return decoded.right
  const context = decoded.left[0]?.context ?? []
  const path = context.map(({ key }) => key).filter((key) => key !== '' && !/^\d+$/.test(key))
  const [param] = path
  if (param === undefined) throw invalid('body', `The body must be ${wordsOf(codec)}`)
  const field = context.find(({ key }) => key === param)
  const complaint = field?.actual === undefined ? 'is missing: it must be' : 'must be'
  throw invalid(param, `"${param}" ${complaint} ${wordsOf(field?.type ?? codec)}`)
}

/** Codecs of objects have names for the reference; the names of others tell callers what is valid. */
const wordsOf = (codec: object & { readonly name: string }): string =>
  codec instanceof t.InterfaceType ? 'a JSON object' : codec.name

/** The shape of our parameter names: errors repeat no other name. */
const parameterName = /^[a-z_]{1,30}(\[[a-z]{1,3}\])?$/

/** Query parameters, none of them repeated. */
export const single = (query: unknown): Readonly<Record<string, string | undefined>> => {
  const entries = Object.entries(typeof query === 'object' && query !== null ? query : {})
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (typeof value !== 'string') {
        throw parameterName.test(name)
          ? invalid(name, `"${name}" must be given once`)
          : invalid('query', 'Each parameter must be given once')
      }
      return [name, value]
    }),
  )
}
