import type * as t from 'io-ts'
import { brandedString } from './branded.ts'

/**
 * Text from outside that every store can hold: well-formed Unicode (RFC 8785 has no form for a lone surrogate)
 * without U+0000 (PostgreSQL has no text with it).
 */
export const Text = brandedString<{ readonly Text: symbol }>(
  'Text',
  (text) => text.isWellFormed() && !text.includes('\u0000'),
)
export type Text = t.TypeOf<typeof Text>

/** Whether a text has 1 to so many characters, is not blank, and has no control characters. */
export const isPlainText = (text: string, mostCharacters: number): text is Text =>
  Text.is(text) && text.trim() !== '' && text.length <= mostCharacters && !/\p{Cc}/u.test(text)

/** An address a browser may be sent to: absolute, http or https. */
export const HttpUrl = brandedString<{ readonly Text: symbol; readonly HttpUrl: symbol }>(
  'HttpUrl',
  (text) => /^https?:\/\//i.test(text) && Text.is(text) && URL.canParse(text),
)
export type HttpUrl = t.TypeOf<typeof HttpUrl>

/** Names a text written in our own code. Throws a `RangeError` for what no store can hold: the caller's bug. */
export const asText = (text: string): Text => {
  if (Text.is(text)) return text
  throw new RangeError('the text is not well-formed Unicode without U+0000')
}
