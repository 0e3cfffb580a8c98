import type { Json, JsonObject } from '@quittance/domain'
import canonicalize from 'canonicalize'

const refuse = (what: string): never => {
  throw new TypeError(`An event cannot hold ${what}: only strings, whole numbers, booleans, null, lists and objects`)
}

const requireWellFormed = (text: string): void => {
  if (!text.isWellFormed()) refuse('a lone surrogate')
}

/** The work needed to write keys in canonical order; a value needs that of its costliest part. */
const nothing = 0
const sorting = 1
/** JavaScript orders members named by numbers, and `__proto__`, by rules of its own. */
const theLibrary = 2

const effortOf = (value: unknown): number => {
  switch (typeof value) {
    case 'string':
      requireWellFormed(value)
      return nothing
    case 'number':
      return Number.isSafeInteger(value) ? nothing : refuse(`the number ${value}`)
    case 'boolean':
      return nothing
    case 'object':
      if (value === null) return nothing
      return Array.isArray(value) ? effortOfList(value) : effortOfMembers(value)
    default:
      return refuse(`a value of type ${typeof value}`)
  }
}

const effortOfList = (list: ReadonlyArray<unknown>): number => {
  let effort = nothing
  for (const element of list) effort = Math.max(effort, effortOf(element))
  return effort
}

const isPlain = (value: object): value is Readonly<Record<string, unknown>> => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

const effortOfMembers = (members: object): number => {
  if (!isPlain(members)) return refuse(`an instance of ${members.constructor.name}`)
  let effort = nothing
  let previous = ''
  for (const key of Object.keys(members)) {
    requireWellFormed(key)
    if (key < previous) effort = Math.max(effort, sorting)
    if ((key >= '0' && key < ':') || key === '__proto__') effort = theLibrary
    previous = key
    const own = effortOf(members[key])
    if (own > effort) effort = own
  }
  return effort
}

const isList = (value: Json): value is ReadonlyArray<Json> => Array.isArray(value)

const sorted = (value: Json): Json => {
  if (value === null || typeof value !== 'object') return value
  return isList(value) ? value.map(sorted) : sortedMembers(value)
}

const sortedMembers = (members: JsonObject): JsonObject => {
  const copy: { [key: string]: Json } = {}
  for (const key of Object.keys(members).sort()) copy[key] = sorted(members[key] ?? null)
  return copy
}

/**
 * The RFC 8785 text of a JSON value, in which events are stored and hashed.
 * Errors: throws `TypeError` (a defect of the caller) for a bigint, `undefined`, a number that is not a safe integer, a
 * lone surrogate, or an object that is not plain; never drops or rounds silently.
 * Source: RFC 8785, sections 3.2.2 and 3.2.3.
 */
export const canonicalJson = (value: Json): string => {
  const effort = effortOf(value)
  // Without floats, plain JSON text with sorted keys is canonical, at half the library's cost or less.
  if (effort < theLibrary) return JSON.stringify(effort === nothing ? value : sorted(value))
  return canonicalize(value) ?? refuse('a value without JSON text')
}

/** Throws `TypeError` where a value has no exact JSON form (see `canonicalJson`). */
export const requireExact = (value: Json): void => {
  effortOf(value)
}
