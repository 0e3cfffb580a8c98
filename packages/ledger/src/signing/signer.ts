import type { AccountId, TransactionHash } from '@quittance/domain'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/** What a signature is for. Who keeps the key writes it down before there is a signature. */
export type SigningPurpose =
  | { readonly _tag: 'transaction'; readonly transactionHash: TransactionHash }
  /** A SEP-7 request. */
  | { readonly _tag: 'uri' }
  /** A SEP-53 message. */
  | { readonly _tag: 'message' }

/** The key cannot be used now; nothing was signed. `cause` is for the log. */
export type SignerUnavailable = { readonly _tag: 'SignerUnavailable'; readonly cause: string }

/** Signs with one ed25519 key, wherever that is kept. */
export interface Signer {
  readonly publicKey: AccountId
  /**
   * The signature (64 bytes) of these very bytes: of a transaction or a message its hash (32 bytes), of a SEP-7 request
   * its whole payload, as that standard hashes nothing.
   */
  readonly sign: (bytes: Uint8Array, purpose: SigningPurpose) => TaskEither<SignerUnavailable, Uint8Array>
}
