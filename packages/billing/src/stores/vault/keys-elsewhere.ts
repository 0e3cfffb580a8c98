import type { AccountId } from '@quittance/domain'
import type { SignerUnavailable } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { Signer } from '../signing/signer.ts'

/** The names of keys that another signer holds, with their public keys, sealed by the master key as seeds are. */
export type NamedKeys = {
  readonly publicKey: (key: string) => Promise<AccountId | null>
  /** The name of a public key; null if it has none. */
  readonly nameOf: (publicKey: AccountId) => Promise<string | null>
  /** Names a public key, in one transaction, unless the name or the key is taken. Resolves once that is durable. */
  readonly add: (key: string, publicKey: AccountId) => Promise<void>
}

/**
 * Makes keys at a signer elsewhere, and remembers them before anybody is told of them. `signer` is null where none is configured
 * any more: its keys cannot be used then.
 */
export const keysElsewhere = (named: NamedKeys, signer: Signer | null): Signer => {
  const unavailable = (cause: string): E.Either<SignerUnavailable, never> =>
    E.left({ _tag: 'SignerUnavailable', cause })
  return {
    createKey: (key) => async () => {
      const before = await named.publicKey(key)
      if (before !== null) return E.right(before)
      if (signer === null) return unavailable(`no signer is configured that makes ${key}`)
      const made = await signer.createKey(key)()
      if (E.isLeft(made)) return made
      try {
        await named.add(key, made.right)
      } catch (cause) {
        return unavailable(String(cause))
      }
      // Another process may have been first, and a faulty signer may answer the key of another account.
      const isOurs = (await named.publicKey(key)) === made.right && (await named.nameOf(made.right)) === key
      return isOurs ? made : unavailable(`the signer answered a key for ${key} that is another's`)
    },
    sign: (request) => async () => {
      const { key, signer: wanted } = request
      if ((await named.publicKey(key)) !== wanted) return unavailable(`${wanted} is not the key ${key}`)
      return signer === null ? unavailable(`no signer is configured that holds ${key}`) : signer.sign(request)()
    },
  }
}
