import { hashBytes } from './hashes.ts'

/**
 * The leaf of one event: its hash and the time at which the store recorded it, and nothing else of it.
 * Shape: 40 bytes: the 32 bytes of `hash`, then `recordedAt` as an unsigned 64-bit integer, big-endian.
 * Units: `hash` is 64 lower-case hex digits; `recordedAt` is Unix milliseconds.
 * Errors: throws `RangeError` for a hash or a time of any other shape, which no store writes.
 * Source: our own; docs/decisions/0083-a-transparency-log-over-the-log.md says why.
 */
export const leafOf = ({ hash, recordedAt }: { readonly hash: string; readonly recordedAt: number }): Uint8Array => {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new RangeError('The hash of an event has 64 lower-case hex digits')
  if (!Number.isSafeInteger(recordedAt) || recordedAt < 0)
    throw new RangeError(`The time of an event is whole milliseconds since 1970, not ${recordedAt}`)
  const leaf = Buffer.alloc(hashBytes + 8)
  leaf.write(hash, 'hex')
  leaf.writeBigUInt64BE(BigInt(recordedAt), hashBytes)
  return leaf
}
