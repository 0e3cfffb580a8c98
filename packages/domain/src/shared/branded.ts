import * as t from 'io-ts'

/**
 * A codec of the strings that a test accepts, branded so that two kinds of string cannot be mixed up.
 * Shape on the wire: the same string.
 */
export const brandedString = <Brand>(
  name: string,
  accepts: (text: string) => boolean,
): t.Type<t.Branded<string, Brand>, string, unknown> => {
  const is = (input: unknown): input is t.Branded<string, Brand> => typeof input === 'string' && accepts(input)
  return new t.Type(
    name,
    is,
    (input, context) => (is(input) ? t.success(input) : t.failure(input, context)),
    t.identity,
  )
}

/** As `brandedString`, for whole numbers; a fraction, NaN or an infinity never passes. */
export const brandedInteger = <Brand>(
  name: string,
  accepts: (integer: number) => boolean,
): t.Type<t.Branded<number, Brand>, number, unknown> => {
  const is = (input: unknown): input is t.Branded<number, Brand> =>
    typeof input === 'number' && Number.isSafeInteger(input) && !Object.is(input, -0) && accepts(input)
  return new t.Type(
    name,
    is,
    (input, context) => (is(input) ? t.success(input) : t.failure(input, context)),
    t.identity,
  )
}

/** A bigint that travels as a digit string without leading zeros: 0 to `maximum`. */
export const brandedDigits = <Brand>(
  name: string,
  maximum: bigint,
): t.Type<t.Branded<bigint, Brand>, string, unknown> => {
  const longest = maximum.toString().length
  const is = (input: unknown): input is t.Branded<bigint, Brand> =>
    typeof input === 'bigint' && input >= 0n && input <= maximum
  return new t.Type(
    name,
    is,
    (input, context) => {
      if (typeof input !== 'string' || input.length > longest || !/^(?:0|[1-9][0-9]*)$/.test(input)) {
        return t.failure(input, context)
      }
      const value = BigInt(input)
      return is(value) ? t.success(value) : t.failure(input, context)
    },
    String,
  )
}

/** The value, or `null`; a missing field is neither. */
export const orNull = <A, O>(codec: t.Type<A, O, unknown>): t.Type<A | null, O | null, unknown> =>
  new t.Type(
    `${codec.name} or null`,
    (input): input is A | null => input === null || codec.is(input),
    (input, context) => (input === null ? t.success(null) : codec.validate(input, context)),
    (value) => (value === null ? null : codec.encode(value)),
  )
