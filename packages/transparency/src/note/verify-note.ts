import * as E from 'fp-ts/lib/Either.js'
import { cosignedAt } from '../cosignature.ts'
import { isSignedBy } from './ed25519.ts'
import type { NoteSignature, SignedNote } from './note.ts'
import { keyIdOf, type VerifierKey } from './verifier-key.ts'

/** A signature of a known key that is right. `time`, in Unix seconds, is that of a cosignature; else null. */
export type VerifiedSignature = NoteSignature & { readonly key: VerifierKey; readonly time: bigint | null }

/** Why a note is not to be believed: no known key has signed it, or a signature that names a known key is wrong. */
export type UnverifiedNote =
  | { readonly _tag: 'NoKnownSignature' }
  | { readonly _tag: 'WrongSignature'; readonly keyName: string; readonly keyId: string }

const verified = (key: VerifierKey, text: string, signature: NoteSignature): VerifiedSignature | null => {
  switch (key.type) {
    case 'ed25519':
      return isSignedBy(key.publicKey, Buffer.from(text), signature.signature)
        ? { ...signature, key, time: null }
        : null
    case 'cosignature/v1': {
      const time = cosignedAt(key.publicKey, text, signature.signature)
      return time === null ? null : { ...signature, key, time }
    }
  }
}

/**
 * Verifies a note by keys that are known, and answers their signatures, in the note's order. Those of other keys are
 * ignored, even where they share a name or an id with a known key.
 * Errors: `WrongSignature` where one signature of a known key is wrong, even if others are right; `NoKnownSignature`.
 * Source: c2sp.org/signed-note, "Signatures".
 */
export const verifyNote = (
  { text, signatures }: SignedNote,
  keys: ReadonlyArray<VerifierKey>,
): E.Either<UnverifiedNote, ReadonlyArray<VerifiedSignature>> => {
  const known = keys.map((key) => ({ key, keyId: keyIdOf(key) }))
  const found: Array<VerifiedSignature> = []
  for (const signature of signatures) {
    const { keyName, keyId } = signature
    for (const { key } of known.filter((each) => each.key.name === keyName && each.keyId === keyId)) {
      const right = verified(key, text, signature)
      if (right === null) return E.left({ _tag: 'WrongSignature', keyName, keyId })
      found.push(right)
    }
  }
  return found.length === 0 ? E.left({ _tag: 'NoKnownSignature' }) : E.right(found)
}
