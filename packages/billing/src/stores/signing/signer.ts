import type { AccountId } from '@quittance/domain'
import type { SignerUnavailable, SigningPurpose } from '@quittance/ledger'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/** What is to be signed, for which account, and by which key. */
export type SigningRequest = {
  /** The account that the signature acts for. Its address stays when its keys change. */
  readonly account: AccountId
  /** The public key whose signature is wanted. It equals `account` until the account's key was rotated. */
  readonly signer: AccountId
  /** The name of that key, under which `createKey` has made it. */
  readonly key: string
  /** What is signed: the hash of a transaction or message (32 bytes), or the whole payload of a SEP-7 request. */
  readonly bytes: Uint8Array
  readonly purpose: SigningPurpose
}

/**
 * Holds ed25519 keys and signs with them: the vault of this installation, a KMS, an HSM. No secret leaves it. Where it cannot
 * answer, it says so by a value: what is to be signed waits, and it is asked again.
 */
export interface Signer {
  /**
   * Makes a key of this name, once: repeated, also after a crash, it answers the same key. Answers the public key (`G…`). A
   * name has letters, digits, `/`, `_` and `-`; at most 200 of them.
   */
  readonly createKey: (key: string) => TaskEither<SignerUnavailable, AccountId>
  /** The signature (64 bytes) of the bytes as they are, by the key of the request. */
  readonly sign: (request: SigningRequest) => TaskEither<SignerUnavailable, Uint8Array>
}
