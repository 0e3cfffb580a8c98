import * as TE from 'fp-ts/lib/TaskEither.js'
import { cosignatureBytes, cosignedMessage } from '../cosignature.ts'
import type { NoteSignature } from './note.ts'
import { keyIdOf, type VerifierKey } from './verifier-key.ts'

/** Signs bytes by the private key of a verifier key: 64 bytes of Ed25519. The private key stays with whoever holds it. */
export type SignBytes<F> = (bytes: Uint8Array) => TE.TaskEither<F, Uint8Array>

const signatureOf = ({ name, ...key }: VerifierKey, signature: Uint8Array): NoteSignature => ({
  keyName: name,
  keyId: keyIdOf({ name, ...key }),
  signature,
})

const ensureType = (key: VerifierKey, type: VerifierKey['type']): void => {
  if (key.type !== type) throw new TypeError(`A key of type ${key.type} makes no signature of type ${type}`)
}

/**
 * Signs a note's text, which ends in a newline. The result is one of the note's signatures.
 * Errors: those of `sign`; throws `TypeError` for a key that cosigns.
 * Source: c2sp.org/signed-note, "Ed25519 signatures".
 */
export const signNote = <F>(key: VerifierKey, sign: SignBytes<F>, text: string): TE.TaskEither<F, NoteSignature> => {
  ensureType(key, 'ed25519')
  return TE.map((signature: Uint8Array) => signatureOf(key, signature))(sign(Buffer.from(text)))
}

/**
 * Cosigns a checkpoint's text at a time: "this is the largest consistent tree of this log that I have seen by then".
 * Units: Unix seconds. Errors: those of `sign`; throws `TypeError` for a key of another type, `RangeError` for a time below 1.
 * Source: c2sp.org/tlog-cosignature.
 */
export const cosign = <F>(
  key: VerifierKey,
  sign: SignBytes<F>,
  text: string,
  time: bigint,
): TE.TaskEither<F, NoteSignature> => {
  ensureType(key, 'cosignature/v1')
  return TE.map((signature: Uint8Array) => signatureOf(key, cosignatureBytes(time, signature)))(
    sign(cosignedMessage(text, time)),
  )
}
