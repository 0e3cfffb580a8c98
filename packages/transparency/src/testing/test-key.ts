import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { NoteSignature } from '../note/note.ts'
import { cosign, type SignBytes, signNote } from '../note/sign-note.ts'
import type { KeyType, VerifierKey } from '../note/verifier-key.ts'

/** A PKCS #8 document up to the seed of an Ed25519 key (RFC 8410). */
const seedPrefix = Buffer.from('302e020100300506032b657004220420', 'hex')

export type TestKey = { readonly key: VerifierKey; readonly privateKey: KeyObject; readonly sign: SignBytes<never> }

/** A key whose seed is one byte, 32 times. */
export const testKey = (name: string, type: KeyType, seed: number): TestKey => {
  const der = Buffer.concat([seedPrefix, Buffer.alloc(32, seed)])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32)
  return {
    key: { name, type, publicKey },
    privateKey,
    sign: (bytes) => TE.right(sign(null, bytes, privateKey)),
  }
}

const signed = async (signing: TE.TaskEither<never, NoteSignature>): Promise<NoteSignature> => {
  const result = await signing()
  if (result._tag === 'Left') throw new Error('A key in memory signs')
  return result.right
}

export const signedBy = ({ key, sign }: TestKey, text: string): Promise<NoteSignature> =>
  signed(signNote(key, sign, text))

export const cosignedBy = ({ key, sign }: TestKey, text: string, time: bigint): Promise<NoteSignature> =>
  signed(cosign(key, sign, text, time))
