import {
  AccountId,
  Count,
  CurrencyCode,
  HttpUrl,
  longestTrialDays,
  maximumCents,
  PositiveCount,
  Text,
  UnixMs,
} from '@quittance/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { described, type JsonSchema, type SchemaType } from './codecs.ts'
import { numberText } from './exact-json.ts'

const isText = (input: unknown, longest: number): input is Text =>
  Text.is(input) && input.trim() !== '' && [...input].length <= longest

/** A text of 1 to `longest` characters. */
export const text = (longest: number): SchemaType<Text, string> => {
  const name = `a text of 1 to ${longest} characters`
  const is = (input: unknown): input is Text => isText(input, longest)
  const codec = new t.Type<Text, string, unknown>(
    name,
    is,
    (input, context) => (is(input) ? t.success(input) : t.failure(input, context)),
    t.identity,
  )
  return described(codec, name, { type: 'string', minLength: 1, maxLength: longest, pattern: '\\S' })
}

/** A refinement with a name for callers. */
export const such = <A, O>(
  codec: t.Type<A, O, unknown>,
  accepts: (value: A) => boolean,
  name: string,
  schema: JsonSchema,
): SchemaType<A, O> => described(t.refinement(codec, accepts, name), name, schema)

/** One of these words. */
export const oneOf = <Word extends string>(...words: ReadonlyArray<Word>): SchemaType<Word, Word> => {
  const name = words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
  const is = (input: unknown): input is Word => words.some((word) => word === input)
  const codec = new t.Type<Word, Word, unknown>(
    name,
    is,
    (input, context) => (is(input) ? t.success(input) : t.failure(input, context)),
    t.identity,
  )
  return described(codec, name, { enum: words })
}

/** An id: its prefix, then 22 letters and digits. */
export const id = (prefix: string, ...others: ReadonlyArray<string>): SchemaType<string, string> => {
  const pattern = `^${others.length === 0 ? prefix : `(${[prefix, ...others].join('|')})`}[0-9A-Za-z]{22}$`
  const test = new RegExp(pattern)
  return such(t.string, (input) => test.test(input), `an id such as ${prefix}…`, {
    type: 'string',
    description: `An id that begins with ${[prefix, ...others].map((each) => `\`${each}\``).join(' or ')}.`,
    pattern,
    examples: [`${prefix}7nQe4Cw0XbDq1yLZs5Tt0u`],
  })
}

/** ISO 8601 in UTC with milliseconds. */
export const timestamp = such(
  t.string,
  (input) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(input),
  'an ISO 8601 time in UTC',
  { type: 'string', format: 'date-time', examples: ['2026-11-20T10:00:00.000Z'] },
)

const written = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(\d*)(Z|[+-]\d\d:\d\d)$/

/** Whether the text begins with a real date: `Date.parse` reads 30 February as a day in March. */
export const isDay = (text: string): boolean => {
  const midnight = Date.parse(`${text.slice(0, 10)}T00:00:00Z`)
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().slice(0, 10) === text.slice(0, 10)
}

/** Rounds up to whole milliseconds, which is exact since all our times are whole. */
const millisecondsOf = (input: unknown): number => {
  if (typeof input !== 'string' || !isDay(input)) return Number.NaN
  const [, upToMilliseconds = '', rest = '', zone = ''] = written.exec(input) ?? []
  return Date.parse(`${upToMilliseconds}${zone}`) + (/[1-9]/.test(rest) ? 1 : 0)
}

/** A time for comparisons, in any ISO 8601 form with a zone. */
export const moment: SchemaType<UnixMs, string> = described(
  new t.Type<UnixMs, string, unknown>(
    'a time such as 2026-11-20T10:00:00Z',
    UnixMs.is,
    (input, context) => {
      const milliseconds = millisecondsOf(input)
      return UnixMs.is(milliseconds) ? t.success(milliseconds) : t.failure(input, context)
    },
    (at) => new Date(at).toISOString(),
  ),
  'a time such as 2026-11-20T10:00:00Z',
  { type: 'string', format: 'date-time', examples: ['2026-11-20T10:00:00Z'] },
)

/** The three letters of a currency. */
export const currencyCode = described(CurrencyCode, 'one of the codes of GET /currencies', {
  type: 'string',
  pattern: '^[A-Za-z]{3}$',
  examples: ['EUR'],
})

const counted = { type: 'integer', maximum: Number.MAX_SAFE_INTEGER }
/** A whole number from 0. */
export const count = described(Count, 'a whole number from 0', { ...counted, minimum: 0 })
/** A whole number from 1. */
export const positiveCount = described(PositiveCount, 'a whole number from 1', { ...counted, minimum: 1 })

/** Stricter than browsers, which drop control characters and read a path as the host where that is missing. */
const wholeUrl = /^https?:\/\/[^\s\p{Cc}/\\?#][^\s\p{Cc}]*$/iu

/** Days of a trial. That they are not too many is checked later, so that the answer says how many there may be. */
export const trialDays = described(Count, 'a whole number of days, or 0 for no trial', {
  type: 'integer',
  minimum: 0,
  maximum: longestTrialDays,
})

/** An http or https address. */
export const httpUrl = such(
  HttpUrl,
  (input) => input.length <= 2_048 && wholeUrl.test(input),
  'an http or https address with a host, without whitespace, of at most 2,048 characters',
  {
    type: 'string',
    maxLength: 2_048,
    // Without named character classes, which not every schema reader supports.
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s\\x00-\\x1f\\x7f-\\x9f/\\\\?#][^\\s\\x00-\\x1f\\x7f-\\x9f]*$',
    examples: ['https://shop.example/thanks'],
  },
)

const isEmail = (input: unknown): input is Text =>
  Text.is(input) && input.trim().length <= 254 && /^[^\s@]+@[^\s@]+$/.test(input.trim())

/** An email address. */
export const email: SchemaType<string, string> = described(
  new t.Type<string, string, unknown>(
    'an email address',
    t.string.is,
    (input, context) => (isEmail(input) ? t.success(input.trim()) : t.failure(input, context)),
    t.identity,
  ),
  'an email address',
  { type: 'string', pattern: '^\\s*[^\\s@]+@[^\\s@]+\\s*$', examples: ['ada@example.com'] },
)

/** Phone numbers compare by their digits, so a text without digits would equal all others. */
export const phone = such(
  text(50),
  (input) => (input.match(/\d/g) ?? []).length >= 3,
  'a phone number of at most 50 characters',
  { type: 'string', maxLength: 50, pattern: '\\d[^\\d]*\\d[^\\d]*\\d', examples: ['+49 30 1234567'] },
)

/** A Stellar account. */
export const account = described(AccountId, 'a Stellar account (G…)', {
  type: 'string',
  pattern: '^G[A-Z2-7]{55}$',
  examples: ['GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'],
})

/** A number's source text, if `parseExactly` read the object. */
export const digits: SchemaType<string, number> = described(
  new t.Type<string, number, unknown>(
    'a number',
    t.string.is,
    (input, context) => (typeof input === 'number' ? t.success(writtenAs(input, context)) : t.failure(input, context)),
    Number,
  ),
  'a number',
  { type: 'number', exclusiveMinimum: 0 },
)

const writtenAs = (number: number, context: t.Context): string => {
  const [holder, field] = [context.at(-2)?.actual, context.at(-1)?.key]
  const written =
    typeof holder === 'object' && holder !== null && field !== undefined ? numberText(holder, field) : null
  return written ?? String(number)
}

/** A price in base units of a currency, and one in hundredths. That they are in range is checked later, by currency. */
export const price = described(digits, digits.name, { ...digits.schema, maximum: Number(maximumCents / 100n) })
export const priceCents = described(digits, digits.name, { ...digits.schema, maximum: Number(maximumCents) })

/** The merchant's own data. Its limits are checked when it is merged with the stored data. */
export const metadata = described(t.unknown, 'an object', {
  type: ['object', 'null'],
  additionalProperties: true,
  examples: [{ order: '1042' }],
})

/** As `metadata`, with texts only. */
export const textMetadata = described(t.unknown, 'an object of texts', {
  ...metadata.schema,
  additionalProperties: { type: ['string', 'null'] },
})

/** One value or several, read as a list. `isMany` says which. */
export const oneOrMany = <A, O>(codec: t.Type<A, O, unknown>, most: number): OneOrManyType<A, O> =>
  new OneOrManyType(codec, most)

type OneOrMany<A> = { readonly isMany: boolean; readonly all: ReadonlyArray<A> }

/** The codec of a list that may be given as its only item. */
export class OneOrManyType<A, O> extends t.Type<OneOrMany<A>, O | ReadonlyArray<O>, unknown> {
  readonly _tag = 'OneOrManyType' as const
  readonly codec: t.Type<A, O, unknown>
  readonly most: number
  constructor(codec: t.Type<A, O, unknown>, most: number) {
    const name = `an object, or 1 to ${most} of them`
    const list = such(t.array(codec), ({ length }) => length > 0 && length <= most, name, {})
    super(
      name,
      (input): input is OneOrMany<A> => t.type({ isMany: t.boolean, all: t.array(codec) }).is(input),
      (input, context) =>
        Array.isArray(input)
          ? E.map((all: ReadonlyArray<A>) => ({ isMany: true, all }))(list.validate(input, context))
          : E.map((one: A) => ({ isMany: false, all: [one] }))(codec.validate(input, context)),
      ({ isMany, all }) => {
        const encoded = all.map(codec.encode)
        return !isMany && encoded[0] !== undefined ? encoded[0] : encoded
      },
    )
    this.codec = codec
    this.most = most
  }
}
