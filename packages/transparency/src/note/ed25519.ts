import { createPublicKey, verify } from 'node:crypto'

/** An Ed25519 signature has 64 bytes. */
export const ed25519Bytes = 64

/** Whether a public key of 32 bytes signed a message. False for bytes that are no key. Source: RFC 8032. */
export const isSignedBy = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean => {
  if (signature.length !== ed25519Bytes) return false
  const x = Buffer.from(publicKey).toString('base64url')
  try {
    return verify(null, message, createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }), signature)
  } catch {
    return false
  }
}
