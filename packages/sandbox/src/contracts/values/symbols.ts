const alphabet = '_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const codes = new Map([...alphabet].map((letter, place) => [letter.charCodeAt(0), BigInt(place + 1)]))
const maxSmall = 9
const maxLong = 32

/** Whether the bytes form a symbol: at most 32 letters, digits and underscores. */
export const isSymbol = (bytes: Uint8Array): boolean =>
  bytes.length <= maxLong && bytes.every((byte) => codes.has(byte))

/** Packs up to nine letters into six bits each, the first one highest; undefined for a longer symbol. */
export const smallSymbol = (bytes: Uint8Array): bigint | undefined =>
  bytes.length > maxSmall ? undefined : bytes.reduce((body, byte) => (body << 6n) | (codes.get(byte) ?? 0n), 0n)

/** Unpacks a small symbol. */
export const lettersOf = (body: bigint): string => {
  let letters = ''
  for (let rest = body; rest > 0n; rest >>= 6n) letters = `${alphabet[Number(rest & 63n) - 1] ?? ''}${letters}`
  return letters
}
