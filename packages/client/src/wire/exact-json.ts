const sources = new WeakMap<object, Map<string, string>>()

/** Thrown for a key that could pollute the prototype of copied objects. */
export class ForbiddenKey extends Error {
  override readonly name = 'ForbiddenKey'
}

/**
 * `JSON.parse` that also keeps the source text of numbers: see `numberText`.
 * Throws `SyntaxError` as `JSON.parse` does, `ForbiddenKey` for `__proto__`, and `RangeError` for nesting too deep to
 * traverse.
 */
export const parseExactly = (text: string): unknown =>
  JSON.parse(text, function (this: unknown, key: string, value: unknown, context?: { source?: string }) {
    if (key === '__proto__') throw new ForbiddenKey('the key "__proto__" is not accepted')
    if (typeof value === 'number' && context?.source !== undefined && typeof this === 'object' && this !== null) {
      const known = sources.get(this) ?? new Map<string, string>()
      sources.set(this, known.set(key, context.source))
    }
    return value
  })

/** The source text of the number at `key` of an object from `parseExactly`; undefined where there is no number. */
export const numberText = (holder: object, key: string): string | undefined => sources.get(holder)?.get(key)
