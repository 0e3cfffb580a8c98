const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const noDigit = 255

/** The value of each base32 character by its char code; 255 for all others. */
const digitOf = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = alphabet.indexOf(String.fromCharCode(code))
  return value < 0 ? noDigit : value
})

/** CRC16-XModem (polynomial 0x1021, initial value 0) of each single byte. */
const crcOf = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021
  return crc & 0xffff
})

const keyLength = 56
const payloadLength = 33

/** Whether 56 characters of base32 are one version byte, 32 bytes and a CRC16-XModem of these 33, low byte first. */
const isStrkey = (text: string, start: number, letter: string, version: number): boolean => {
  if (text.length - start !== keyLength || text[start] !== letter) return false
  let bits = 0
  let bitCount = 0
  let crc = 0
  let index = 0
  let checksum = 0
  for (let position = 0; position < keyLength; position++) {
    const digit = digitOf[text.charCodeAt(start + position)] ?? noDigit
    if (digit === noDigit) return false
    bits = ((bits << 5) | digit) & 0xfff
    bitCount += 5
    if (bitCount < 8) continue
    bitCount -= 8
    const byte = (bits >> bitCount) & 0xff
    if (index === 0 && byte !== version) return false
    if (index < payloadLength) crc = ((crc << 8) & 0xffff) ^ (crcOf[(crc >> 8) ^ byte] ?? 0)
    else checksum |= byte << (8 * (index - payloadLength))
    index++
  }
  return checksum === crc
}

/**
 * Whether a text is the strkey of an ed25519 account (`G`). 56 characters are exactly 35 bytes: no padding, no loose
 * bits. The strkey is what stands in the text from `start` on.
 * Source: SEP-23.
 */
export const isAccountStrkey = (text: string, start = 0): boolean => isStrkey(text, start, 'G', 6 << 3)

/** Whether a text is the strkey of a contract (`C`), which is made in the same way. */
export const isContractStrkey = (text: string): boolean => isStrkey(text, 0, 'C', 2 << 3)
