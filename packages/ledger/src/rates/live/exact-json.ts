/**
 * Reads JSON in which each number becomes its own text, digit for digit: a number with a fraction seldom survives being
 * read as one. A market that writes prices as strings then looks like one that writes numbers.
 * Throws `SyntaxError` as `JSON.parse` does, and `RangeError` for too deeply nested values.
 */
export const parseExactly = (text: string): unknown =>
  JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? value) : value,
  )
