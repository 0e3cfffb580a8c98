/**
 * Which fields of a transaction the wallet fills in, and what it tells its user of each. A `field` is a path as in SEP-11
 * (`operations[0].sourceAccount`); fields with one `reference` get one value.
 */
export type Sep7Replacement = {
  readonly fields: ReadonlyArray<{ readonly field: string; readonly reference: string }>
  readonly hints: Readonly<Record<string, string>>
}

/** `field:reference,…;reference:hint,…`. */
export const formatReplacement = ({ fields, hints }: Sep7Replacement): string => {
  const named = fields.map(({ field, reference }) => `${field}:${reference}`)
  const hinted = Object.entries(hints).map(([reference, hint]) => `${reference}:${hint}`)
  return `${named.join(',')};${hinted.join(',')}`
}

type Pair = readonly [name: string, value: string]

const pairs = (text: string, pattern: RegExp): ReadonlyArray<Pair> | null => {
  const found = text.split(',').map((part): Pair | null => {
    const [, name, value] = pattern.exec(part) ?? []
    return name === undefined || value === undefined ? null : [name, value]
  })
  return found.every((pair) => pair !== null) ? found : null
}

const FIELD = /^([A-Za-z][\w.[\]]*):(\w+)$/
const HINT = /^(\w+):([^:].*)$/s

/**
 * Reads the value of `replace`; null for what the standard does not allow: a field twice, or references that are not the
 * same before and after the semicolon. A hint has no comma, since nothing tells it from the next one.
 */
export const readReplacement = (text: string): Sep7Replacement | null => {
  const separator = text.indexOf(';')
  const named = pairs(text.slice(0, separator), FIELD)
  const hinted = pairs(text.slice(separator + 1), HINT)
  if (separator < 0 || named === null || hinted === null) return null
  const hints = new Map(hinted)
  const references = new Set(named.map(([, reference]) => reference))
  const isComplete = references.size === hints.size && [...references].every((reference) => hints.has(reference))
  const isOnce = hints.size === hinted.length && new Set(named.map(([field]) => field)).size === named.length
  if (!isComplete || !isOnce) return null
  return { fields: named.map(([field, reference]) => ({ field, reference })), hints: Object.fromEntries(hints) }
}
