import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import type { SignBytes, VerifierKey } from '@quittance/transparency'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { KeyCarriage } from '../vault/port.ts'

/** A key that signs checkpoints. */
export type LogKey = { readonly key: VerifierKey; readonly sign: SignBytes<never> }

/** A PKCS #8 document up to the seed of an Ed25519 key (RFC 8410). */
const beforeSeed = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * The `number`-th key of this installation that signs checkpoints, for the log `origin`. It is made where it is missing: a
 * vault that was lost makes another one, so whoever signs compares it with the one that the log names.
 */
export const logKey = async ({ own }: Pick<KeyCarriage, 'own'>, number: number, origin: string): Promise<LogKey> => {
  const document = Buffer.concat([beforeSeed, await own(`log-key/${number}`)])
  const privateKey = createPrivateKey({ key: document, format: 'der', type: 'pkcs8' })
  document.fill(0)
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32)
  return {
    key: { name: origin, type: 'ed25519', publicKey },
    sign: (bytes) => TE.right(sign(null, bytes, privateKey)),
  }
}
