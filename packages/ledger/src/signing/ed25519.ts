import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

// What stands before the 32 bytes of a seed in PKCS #8, and before those of a public key in SPKI (RFC 8410).
const PKCS8_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex')
const SPKI_HEADER = Buffer.from('302a300506032b6570032100', 'hex')
const KEY_BYTES = 32

/**
 * A seed (32 bytes) as a key of the runtime's own, which signs ten times as fast as JavaScript. Throws for another
 * length.
 */
export const privateKeyOf = (seed: Uint8Array): KeyObject => {
  if (seed.length !== KEY_BYTES) throw new RangeError('a seed has 32 bytes')
  const encoded = Buffer.concat([PKCS8_HEADER, seed])
  try {
    return createPrivateKey({ key: encoded, format: 'der', type: 'pkcs8' })
  } finally {
    encoded.fill(0)
  }
}

/** The public key (32 bytes) of a private one. */
export const publicBytesOf = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(SPKI_HEADER.length)

/** The signature of these bytes: 64 bytes, the same each time. */
export const signBytes = (key: KeyObject, bytes: Uint8Array): Buffer => sign(null, bytes, key)

/** Whether this is the signature that the holder of a public key (32 bytes) made of these bytes. Never throws. */
export const isSignatureOf = (publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean => {
  if (publicKey.length !== KEY_BYTES || signature.length !== 64) return false
  const key = createPublicKey({ key: Buffer.concat([SPKI_HEADER, publicKey]), format: 'der', type: 'spki' })
  return verify(null, bytes, key, signature)
}
