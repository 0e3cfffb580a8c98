import * as t from 'io-ts'
import { orNull } from './branded.ts'
import { partial, strict } from './strict.ts'
import { HttpUrl, Text } from './text.ts'

/** Where a merchant's terms are, and which: a version, or a hash of their text. */
export const Terms = strict({ url: HttpUrl, version: Text }, 'Terms')
export type Terms = t.TypeOf<typeof Terms>

/**
 * Who a merchant is, as its customers see it, and what is mailed: `customerMails` to its customers, as the network's rule says
 * where it is missing; notices to itself to `noticesTo`. `address` may have several lines.
 */
export const MerchantProfile = t.intersection(
  [
    strict({
      legalName: orNull(Text),
      address: orNull(Text),
      taxId: orNull(Text),
      supportContact: orNull(Text),
      terms: orNull(Terms),
    }),
    partial({ customerMails: t.boolean, noticesTo: Text }),
  ],
  'MerchantProfile',
)
export type MerchantProfile = t.TypeOf<typeof MerchantProfile>

/** Characters that turn the direction of the text around them, so that a name could disguise its neighbours. */
const turnsText = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u

/** Whether a text is a line of 1 to so many characters that only shows itself. */
export const isProfileLine = (text: string, mostCharacters: number): text is Text =>
  Text.is(text) &&
  text.trim() !== '' &&
  [...text].length <= mostCharacters &&
  !/\p{Cc}/u.test(text) &&
  !turnsText.test(text)

const mostAddressLines = 8
const longestAddressLine = 120

/** As many characters as an address has at most, with its line breaks. */
export const mostAddressCharacters = mostAddressLines * (longestAddressLine + 1) - 1

/** Whether a text is an address: a few such lines. */
export const isProfileAddress = (text: string): text is Text => {
  const lines = text.split('\n')
  return lines.length <= mostAddressLines && lines.every((line) => isProfileLine(line, longestAddressLine))
}

/** The first bytes of the image formats that a logo may have. */
const logoFormats: Readonly<Record<string, (bytes: Uint8Array) => boolean>> = {
  png: (bytes) => startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  jpeg: (bytes) => startsWith(bytes, [0xff, 0xd8, 0xff]),
  webp: (bytes) => startsWith(bytes, [0x52, 0x49, 0x46, 0x46]) && startsWith(bytes.slice(8), [0x57, 0x45, 0x42, 0x50]),
}

const startsWith = (bytes: Uint8Array, first: ReadonlyArray<number>): boolean =>
  first.every((byte, index) => bytes[index] === byte)

export const mostLogoBytes = 32 * 1024

const longestEncodedLogo = Math.ceil(mostLogoBytes / 3) * 4

/** As many characters as the `data:` URI of a logo has at most. */
export const mostLogoCharacters = 'data:image/jpeg;base64,'.length + longestEncodedLogo

/**
 * Whether a text is the `data:` URI of a PNG, JPEG or WebP image of at most 32 KiB. No SVG, which can hold scripts, and no
 * address elsewhere, whose host would see every payer.
 */
export const isLogo = (text: string): text is Text => {
  const [, format = '', encoded = ''] = /^data:image\/(png|jpeg|webp);base64,([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? []
  if (encoded === '' || encoded.length > longestEncodedLogo) return false
  const bytes = Uint8Array.from(atob(encoded.length % 4 === 0 ? encoded : ''), (each) => each.charCodeAt(0))
  return bytes.length <= mostLogoBytes && (logoFormats[format]?.(bytes) ?? false)
}
