import { ed25519Bytes, isSignedBy } from './note/ed25519.ts'
import { int64Max } from './note/strict-text.ts'

/**
 * What a cosigner signs: a fixed line, its time, and the text of the checkpoint.
 * Units: Unix seconds. Source: c2sp.org/tlog-cosignature, "Ed25519 signed message".
 */
export const cosignedMessage = (text: string, time: bigint): Uint8Array =>
  Buffer.from(`cosignature/v1\ntime ${time}\n${text}`)

/**
 * The bytes of a cosignature: its time as 64 bits, big-endian, then the Ed25519 signature of `cosignedMessage`.
 * Units: Unix seconds. Errors: throws `RangeError` for a time that is not from 1 to 2^63 - 1, as no clock tells it.
 */
export const cosignatureBytes = (time: bigint, signature: Uint8Array): Uint8Array => {
  if (time < 1n || time > int64Max) throw new RangeError(`A cosignature has a time from 1 to 2^63 - 1, not ${time}`)
  const timestamp = Buffer.alloc(8)
  timestamp.writeBigUInt64BE(time)
  return Buffer.concat([timestamp, signature])
}

/** The time of a cosignature, in Unix seconds, if its key signed this text at that time; else null. */
export const cosignedAt = (publicKey: Uint8Array, text: string, cosignature: Uint8Array): bigint | null => {
  if (cosignature.length !== 8 + ed25519Bytes) return null
  const time = Buffer.from(cosignature).readBigUInt64BE()
  if (time < 1n || time > int64Max) return null
  return isSignedBy(publicKey, cosignedMessage(text, time), cosignature.subarray(8)) ? time : null
}
