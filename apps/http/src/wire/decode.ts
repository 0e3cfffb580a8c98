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

/** Decodes fields, or throws the 400 that names the first wrong one, by what `nameOf` says it is called. */
export const decodeFields = <C extends t.Mixed>(
  codec: C,
  input: unknown,
  nameOf: (field: string) => string = (field) => field,
): t.TypeOf<C> => {
  const decoded = codec.decode(input)
  if (E.isRight(decoded)) return decoded.right
  const context = decoded.left[0]?.context ?? []
  const path = context.map(({ key }) => key).filter((key) => key !== '' && !/^\d+$/.test(key))
  const [param] = path
  if (param === undefined) throw invalid('body', `The body must be ${wordsOf(codec)}`)
  const field = context.find(({ key }) => key === param)
  const complaint = field?.actual === undefined ? 'is missing: it must be' : 'must be'
  throw invalid(nameOf(param), `"${nameOf(param)}" ${complaint} ${wordsOf(field?.type ?? codec)}`)
}

/** Codecs of objects have names for the reference; the names of others tell callers what is valid. */
const wordsOf = (codec: object & { readonly name: string }): string =>
  codec instanceof t.InterfaceType ? 'a JSON object' : codec.name
