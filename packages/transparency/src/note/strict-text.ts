/**
 * The bytes of standard base64 (RFC 4648, section 4); null for any other text, such as one without padding or with bits
 * after the last byte. So equal bytes have one text.
 */
export const bytesOfBase64 = (text: string): Uint8Array | null => {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}

/** Standard base64 with padding. */
export const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** The largest size, index or time: 2^63 - 1. */
export const int64Max = 2n ** 63n - 1n

/** A whole number up to 2^63 - 1 in decimal digits, without zeroes before it; null for any other text. */
export const wholeNumber = (text: string): bigint | null => {
  if (!/^(0|[1-9]\d{0,18})$/.test(text)) return null
  const number = BigInt(text)
  return number <= int64Max ? number : null
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of bytes in UTF-8; null where they are not valid UTF-8. */
export const textOfUtf8 = (bytes: Uint8Array): string | null => {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}
