import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

const nonceBytes = 12
const tagBytes = 16

/** Node takes bytes as a key in three times the time that it needs with the object. */
const keyObject = (key: Uint8Array | KeyObject): KeyObject => (key instanceof Uint8Array ? createSecretKey(key) : key)

/** AES-256-GCM: nonce (12 bytes) ‖ tag (16) ‖ ciphertext, bound to `context`, so that it opens nowhere else. */
export const encrypt = (key: Uint8Array | KeyObject, context: string, plaintext: Uint8Array): Buffer => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyObject(key), nonce).setAAD(Buffer.from(context))
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
}

/** Throws if the key, the context or a byte of the text differs from that of the encryption. */
export const decrypt = (key: Uint8Array | KeyObject, context: string, box: Uint8Array): Buffer => {
  const nonce = box.subarray(0, nonceBytes)
  const tag = box.subarray(nonceBytes, nonceBytes + tagBytes)
  const decipher = createDecipheriv('aes-256-gcm', keyObject(key), nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(context))
    .setAuthTag(tag)
  return Buffer.concat([decipher.update(box.subarray(nonceBytes + tagBytes)), decipher.final()])
}
