import { createHash } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import { isKeyName } from './key-name.ts'
import { base64Of, bytesOfBase64 } from './strict-text.ts'

/** What a key signs: notes as they are (Ed25519), or checkpoints with a time (cosignature/v1). Both sign by Ed25519. */
export type KeyType = 'ed25519' | 'cosignature/v1'

/** A public key that verifies signatures of notes. `publicKey` is 32 bytes (RFC 8032). */
export type VerifierKey = { readonly name: string; readonly type: KeyType; readonly publicKey: Uint8Array }

/** Why a text is no verifier key: malformed, of a type that we do not verify, or with the id of another key. */
export type VerifierKeyRejection =
  | { readonly _tag: 'MalformedVerifierKey' }
  | { readonly _tag: 'UnsupportedKeyType'; readonly type: number }
  | { readonly _tag: 'WrongKeyId'; readonly expected: string }

const typeBytes: Readonly<Record<KeyType, number>> = { ed25519: 1, 'cosignature/v1': 4 }
const publicKeyBytes = 32

const keyTypeOf = (byte: number | undefined): KeyType | null => {
  if (byte === typeBytes.ed25519) return 'ed25519'
  return byte === typeBytes['cosignature/v1'] ? 'cosignature/v1' : null
}

const materialOf = ({ type, publicKey }: VerifierKey): Uint8Array =>
  Buffer.concat([Buffer.of(typeBytes[type]), publicKey])

/**
 * The id of a key: the first 4 bytes of SHA-256(name ‖ newline ‖ type ‖ public key), as 8 lower-case hex digits.
 * It tells keys apart and proves nothing. Source: c2sp.org/signed-note, "Signatures"; c2sp.org/tlog-cosignature, "Format".
 */
export const keyIdOf = (key: VerifierKey): string =>
  createHash('sha256').update(`${key.name}\n`).update(materialOf(key)).digest('hex').slice(0, 8)

/** A key as text (`vkey`): name, id and base64 of type and key, joined by `+`. Source: c2sp.org/signed-note, "Verifier keys". */
export const printVerifierKey = (key: VerifierKey): string => `${key.name}+${keyIdOf(key)}+${base64Of(materialOf(key))}`

/**
 * Reads a key from its text.
 * Errors: `VerifierKeyRejection`; so a text whose letters were mixed up is refused by its id.
 */
export const parseVerifierKey = (text: string): E.Either<VerifierKeyRejection, VerifierKey> => {
  const [, name = '', id, encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+([^\n]+)$/.exec(text) ?? []
  const material = bytesOfBase64(encoded)
  const typeByte = material?.[0]
  if (!isKeyName(name) || material === null || typeByte === undefined) return E.left({ _tag: 'MalformedVerifierKey' })
  const type = keyTypeOf(typeByte)
  if (type === null) return E.left({ _tag: 'UnsupportedKeyType', type: typeByte })
  const publicKey = material.subarray(1)
  if (publicKey.length !== publicKeyBytes) return E.left({ _tag: 'MalformedVerifierKey' })
  const key = { name, type, publicKey }
  const expected = keyIdOf(key)
  return id === expected ? E.right(key) : E.left({ _tag: 'WrongKeyId', expected })
}
