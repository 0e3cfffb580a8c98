const sources = new WeakMap<object, Map<string, string>>()

/** A key through which a copy of an object could change what all objects have. */
export class ForbiddenKey extends Error {
  override readonly name = 'ForbiddenKey'
}

/**
 * `JSON.parse`, which also remembers how each number was written: ask with `numberText`.
 * Throws `SyntaxError` as `JSON.parse` does, `ForbiddenKey` for `__proto__`, and `RangeError` for what is nested too
 * deeply to be walked.
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

/** How the number at `key` of an object from `parseExactly` was written; undefined where there is no number. */
export const numberText = (holder: object, key: string): string | undefined => sources.get(holder)?.get(key)
