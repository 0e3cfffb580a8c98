import * as t from 'io-ts'
import { invalid } from './errors.ts'
import { isRepeatable, isSpellingOf, nearestName } from './near-names.ts'

/** What others call the fields of an object, such as `success_url`, and what these are called here. */
type OtherNames = Readonly<Record<string, string>>
type Names = { readonly known: ReadonlyArray<string>; readonly otherNames: OtherNames }

/**
 * The objects of a body in which nearly right names are refused: the body itself, and those inside it by their field.
 * `ofOthers`: fields that only another kind of request has, and the query that asks for it.
 */
export type NearMisses = {
  readonly otherNames: OtherNames
  readonly inside: Readonly<Record<string, Names>>
  readonly ofOthers: Readonly<Record<string, string>>
}

/**
 * Throws the 400 that names the right field for the first one that has nearly its name, or stands in the body itself
 * instead of in an object inside, and for a field of another kind of request: to ignore these would drop in silence what
 * the caller wants. Others are ignored.
 */
export const refuseMisnamed = (codec: t.Mixed, body: unknown, { otherNames, inside, ofOthers }: NearMisses): void => {
  if (!(codec instanceof t.InterfaceType) || !t.UnknownRecord.is(body)) return
  const known = Object.keys(codec.props)
  for (const [name, other] of Object.entries(ofOthers))
    if (!known.includes(name) && (body[name] ?? null) !== null)
      throw invalid(name, `"${name}" is a field of requests with ${other}, and would be ignored here: leave it out`)
  const objects = Object.entries(inside).filter(([field]) => known.includes(field))
  for (const name of unknownIn(body, known)) {
    const meant = meantBy(name, { known, otherNames }) ?? meantInside(name, objects)
    if (meant !== null) throw misnamed(name, meant)
  }
  for (const [field, names] of objects) {
    for (const name of unknownIn(body[field], names.known)) {
      const meant = meantBy(name, names)
      if (meant !== null) throw misnamedInside(field, name, meant)
    }
  }
}

const misnamed = (name: string, meant: string) =>
  isRepeatable(name)
    ? invalid(name, `There is no field "${name}" here. Did you mean "${meant}"?`)
    : invalid('body', `A field is unknown here. Did you mean "${meant}"?`)

const misnamedInside = (field: string, name: string, meant: string) =>
  isRepeatable(name)
    ? invalid(field, `There is no field "${field}.${name}". Did you mean "${field}.${meant}"?`)
    : invalid(field, `A field is unknown in "${field}". Did you mean "${field}.${meant}"?`)

/** Slips are few; the rest of a body with thousands of unknown fields is not worth the time. */
const mostJudged = 100

const unknownIn = (object: unknown, known: ReadonlyArray<string>): ReadonlyArray<string> => {
  const names = t.UnknownRecord.is(object) ? Object.keys(object) : []
  return names.filter((name) => !known.includes(name)).slice(0, mostJudged)
}

const meantBy = (name: string, { known, otherNames }: Names): string | null => {
  const other = Object.entries(otherNames).find(([each, meant]) => known.includes(meant) && isSpellingOf(name, each))
  return other?.[1] ?? nearestName(name, known)
}

const meantInside = (name: string, objects: ReadonlyArray<readonly [string, Names]>): string | null => {
  for (const [field, names] of objects) {
    const meant = meantBy(name, names)
    if (meant !== null) return `${field}.${meant}`
  }
  return null
}
