import * as t from 'io-ts'

/**
 * Where a value is not what a codec reads, and what stands there, such as `price.cents is string; name is undefined`.
 * Never the value itself, nor a key that no codec names (`*`): either may be personal, or a secret.
 */
export const wrongPlaces = (errors: t.Errors): string => {
  const places = errors.map(({ context, value }) => {
    const path = context.map(({ key }, depth) => shownKey(key, context[depth - 1]?.type)).filter((key) => key !== '')
    return `${path.length === 0 ? 'it' : path.join('.')} is ${value === null ? 'null' : typeof value}`
  })
  return [...new Set(places)].join('; ')
}

/** The members of a choice are numbered, which says nothing; what is in a dictionary was named by somebody else. */
const shownKey = (key: string, parent: t.Decoder<never, unknown> | undefined): string => {
  if (parent instanceof t.ReadonlyType) return shownKey(key, parent.type)
  if (parent instanceof t.UnionType || parent instanceof t.IntersectionType) return ''
  return parent instanceof t.DictionaryType ? '*' : key
}
