import type * as t from 'io-ts'

/**
 * Names a value that cannot be anything else, such as an account read from a ledger. Throws a `RangeError` for what the
 * codec refuses; where the value came from outside, the caller turns that into a failure.
 */
export const named = <A, O>(codec: t.Type<A, O>, value: unknown): A => {
  if (codec.is(value)) return value
  throw new RangeError(`${value} is no ${codec.name}`)
}
