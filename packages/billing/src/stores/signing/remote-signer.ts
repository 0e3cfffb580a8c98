import { accountOfKey, type SignerUnavailable } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Signer } from './signer.ts'

/** Why a remote key could not be made or used; nothing was signed. For the log: no secret is in it. */
export type RemoteFailure = string

/**
 * What a KMS or an HSM (PKCS #11) does with ed25519 keys that never leave it. A label is what `CKA_LABEL` or an alias is: it has
 * letters, digits, `/`, `_` and `-`. Calls may overlap, and none may block the process.
 */
export interface RemoteKeys {
  /**
   * Makes a key of this label, or finds the one that has it: a process may die before it has heard the answer, and asks again.
   * Answers the public key (32 bytes).
   */
  readonly createKey: (label: string) => TaskEither<RemoteFailure, Uint8Array>
  /** The ed25519 signature (64 bytes, RFC 8032, without a hash before it) of the bytes as they are. */
  readonly sign: (label: string, bytes: Uint8Array) => TaskEither<RemoteFailure, Uint8Array>
}

const unavailable = (cause: RemoteFailure): SignerUnavailable => ({ _tag: 'SignerUnavailable', cause })

/**
 * A signer with the keys of a KMS or an HSM. `installation` begins every label, so that two installations never share a key: it
 * has letters, digits, `_` and `-`, and never changes. Throws for another text.
 */
export const remoteSigner = (keys: RemoteKeys, installation: string): Signer => {
  if (!/^[\w-]{1,40}$/.test(installation)) throw new RangeError('an installation has 1 to 40 letters, digits, _ and -')
  const labelOf = (key: string): string => `${installation}/${key}`
  return {
    createKey: (key) => async () => {
      const made = await keys.createKey(labelOf(key))()
      if (E.isLeft(made)) return E.left(unavailable(made.left))
      if (made.right.length !== 32) return E.left(unavailable(`the public key of ${key} has not 32 bytes`))
      return E.right(accountOfKey(made.right))
    },
    sign:
      ({ key, bytes }) =>
      async () =>
        E.mapLeft(unavailable)(await keys.sign(labelOf(key), bytes)()),
  }
}
