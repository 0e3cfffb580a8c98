import * as TE from 'fp-ts/lib/TaskEither.js'
import { accountOfKey } from '../stellar/strkey.ts'
import { privateKeyOf, publicBytesOf, signBytes } from './ed25519.ts'
import type { SigningKey } from './signing-key.ts'

/** Signs in this process with the key of a seed (32 bytes), and keeps no account of it. Throws for another length. */
export const localSigner = (seed: Uint8Array): SigningKey => {
  const key = privateKeyOf(seed)
  return {
    publicKey: accountOfKey(publicBytesOf(key)),
    sign: (bytes) => TE.fromIO(() => signBytes(key, bytes)),
  }
}
