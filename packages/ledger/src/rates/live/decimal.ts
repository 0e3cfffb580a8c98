import { asText, type Text, UnixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

/** More places than any market states; larger exponents would only cost time. */
const MAX_PLACES = 40

/** `"1.25e-3"` as `"0.00125"`: the same number without its exponent. Null for other text, or a number too long. */
const plain = (text: string): string | null => {
  const match = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text)
  if (match === null) return null
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const shift = Number(exponent)
  if (Math.abs(shift) > MAX_PLACES) return null
  const digits = '0'.repeat(Math.max(0, -shift)) + whole + fraction + '0'.repeat(Math.max(0, shift - fraction.length))
  const point = Math.max(0, -shift) + whole.length + shift
  const [units, places] = [digits.slice(0, point).replace(/^0+(?=\d)/, ''), digits.slice(point).replace(/0+$/, '')]
  return `${sign}${units}${places === '' ? '' : `.${places}`}`
}

/** A decimal as `parseExactly` leaves it, with or without an exponent; it becomes plain text of the same value. */
export const DecimalText = new t.Type<Text, string, unknown>(
  'Decimal',
  (input): input is Text => typeof input === 'string' && plain(input) === input,
  (input, context) => {
    const text = typeof input === 'string' ? plain(input) : null
    return text === null ? t.failure(input, context) : t.success(asText(text))
  },
  (text) => text,
)

/** A moment as markets write it: Unix seconds, milliseconds or microseconds, also with a fraction, or ISO 8601. */
export const Moment = new t.Type<UnixMs, number, unknown>(
  'Moment',
  UnixMs.is,
  (input, context) => {
    const ms = typeof input === 'string' ? milliseconds(input) : Number.NaN
    return E.isRight(UnixMs.decode(ms)) ? UnixMs.validate(ms, context) : t.failure(input, context)
  },
  (at) => at,
)

const milliseconds = (text: string): number => {
  if (/^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(text)) return Math.floor(Date.parse(text))
  const digits = /^(\d{9,16})(?:\.\d{1,9})?$/.exec(text)?.[1]
  if (digits === undefined) return Number.NaN
  // Nine to eleven digits of seconds last until the year 5138; as milliseconds they would end in 1973.
  const scale = digits.length <= 11 ? 0.001 : digits.length <= 14 ? 1 : 1000
  return Math.floor(Number(text) / scale)
}
