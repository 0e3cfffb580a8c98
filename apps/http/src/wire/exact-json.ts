const sources = new WeakMap<object, Map<string, string>>()

/**
 * `JSON.parse`, which also remembers how each number was written: ask with `numberText`.
 * Throws `SyntaxError` as `JSON.parse` does, also for a key that would reach a prototype.
 */
export const parseExactly = (text: string): unknown =>
  JSON.parse(text, function (this: unknown, key: string, value: unknown, context?: { source?: string }) {
    if (key === '__proto__') throw new SyntaxError('the key "__proto__" is not accepted')
    if (typeof value === 'number' && context?.source !== undefined && typeof this === 'object' && this !== null) {
      const known = sources.get(this) ?? new Map<string, string>()
      sources.set(this, known.set(key, context.source))
    }
    return value
  })

/** How the number at `key` of an object from `parseExactly` was written; undefined where there is no number. */
export const numberText = (holder: object, key: string): string | undefined => sources.get(holder)?.get(key)
