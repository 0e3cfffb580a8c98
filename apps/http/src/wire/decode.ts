import { Count, CurrencyCode, HttpUrl, PositiveCount, type PriceInput, Text } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { invalid } from './errors.ts'
import { numberText } from './exact-json.ts'

/** A text of 1 to `longest` characters. */
export const text = (longest: number) =>
  new t.Type<Text, string, unknown>(
    `a text of 1 to ${longest} characters`,
    (input): input is Text => Text.is(input) && input.trim() !== '' && [...input].length <= longest,
    (input, context) =>
      Text.is(input) && input.trim() !== '' && [...input].length <= longest
        ? t.success(input)
        : t.failure(input, context),
    t.identity,
  )

/** A codec under words that a caller understands. */
export const described = <A>(codec: t.Type<A, unknown, unknown>, name: string) =>
  new t.Type<A, unknown, unknown>(name, codec.is, codec.validate, codec.encode)

export const currencyCode = described(CurrencyCode, 'one of the codes of GET /currencies')
export const count = described(Count, 'a whole number from 0')
export const positiveCount = described(PositiveCount, 'a whole number from 1')

/** A text that may be left out, or null: both are null. */
export const optional = <A>(codec: t.Type<A, unknown, unknown>) =>
  new t.Type<A | null, unknown, unknown>(
    codec.name,
    (input): input is A | null => input === null || codec.is(input),
    (input, context) => (input === undefined || input === null ? t.success(null) : codec.validate(input, context)),
    t.identity,
  )

/** As `optional`, with a value for what was left out. */
export const withDefault = <A>(codec: t.Type<A, unknown, unknown>, value: A) =>
  new t.Type<A, unknown, unknown>(
    codec.name,
    codec.is,
    (input, context) => (input === undefined || input === null ? t.success(value) : codec.validate(input, context)),
    t.identity,
  )

/** Stricter than a browser, which drops control characters, and takes the path for the host where there is none. */
const wholeUrl = /^https?:\/\/[^\s\p{Cc}/\\?#][^\s\p{Cc}]*$/iu

export const httpUrl = described(
  t.refinement(HttpUrl, (input) => input.length <= 2_048 && wholeUrl.test(input)),
  'an http or https address with a host, without whitespace, of at most 2,048 characters',
)

export const email = new t.Type<string, string, unknown>(
  'an email address',
  t.string.is,
  (input, context) =>
    Text.is(input) && input.trim().length <= 254 && /^[^\s@]+@[^\s@]+$/.test(input.trim())
      ? t.success(input.trim())
      : t.failure(input, context),
  t.identity,
)

/** Phone numbers are compared by their digits, so a text without any would be everybody's. */
export const phone = described(
  t.refinement(text(50), (input) => (input.match(/\d/g) ?? []).length >= 3),
  'a phone number of at most 50 characters',
)

/** Decodes a body or throws the 400 that names the first field that is wrong. Fields it does not know are ignored. */
export const decodeBody = <A>(codec: t.Type<A, unknown, unknown>, body: unknown): A => {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid('body', 'The body must be a JSON object')
  const decoded = codec.decode(body)
  if (E.isRight(decoded)) return decoded.right
  const context = decoded.left[0]?.context ?? []
  const path = context.map(({ key }) => key).filter((key) => key !== '' && !/^\d+$/.test(key))
  const expected = context.find(({ key }) => key === path[0])?.type.name ?? codec.name
  const param = path[0] ?? 'body'
  throw invalid(param, `"${param}" must be ${expected}`)
}

/** A price in either spelling, as the digits that were sent. */
export const priceInput = (body: unknown, amount: string, amountCents: string): PriceInput => {
  if (typeof body !== 'object' || body === null) return { amount: null, amountCents: null }
  const fields: Readonly<Record<string, unknown>> = { ...body }
  const read = (field: string): string | null => {
    if (fields[field] === undefined || fields[field] === null) return null
    const digits = numberText(body, field)
    if (digits === undefined) throw invalid(field, `"${field}" must be a number`)
    return digits
  }
  return { amount: read(amount), amountCents: read(amountCents) }
}
