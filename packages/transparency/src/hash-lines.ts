import { type Hash, hashBytes } from './merkle/hashes.ts'
import { base64Of, bytesOfBase64 } from './note/strict-text.ts'

/** No proof has more hashes than a tree of 2^63 leaves is high. */
export const maxProofHashes = 63

/** Hashes in base64, each on a line with its newline. */
export const printHashes = (hashes: ReadonlyArray<Hash>): string => hashes.map((hash) => `${base64Of(hash)}\n`).join('')

/** The hashes of lines; null where a line is no hash, or where there are more than 63. */
export const hashesOf = (lines: ReadonlyArray<string>): ReadonlyArray<Hash> | null => {
  if (lines.length > maxProofHashes) return null
  const hashes = lines.map(bytesOfBase64)
  return hashes.every((hash) => hash?.length === hashBytes) ? hashes.filter((hash) => hash !== null) : null
}
