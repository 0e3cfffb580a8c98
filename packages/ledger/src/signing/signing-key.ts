import type { AccountId, TransactionHash } from '@quittance/domain'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/** The purpose of a signature. The key's keeper records it before signing. */
export type SigningPurpose =
  | { readonly _tag: 'transaction'; readonly transactionHash: TransactionHash }
  /** A SEP-7 request. */
  | { readonly _tag: 'uri' }
  /** A SEP-53 message. */
  | { readonly _tag: 'message' }

/** The key cannot be used now; nothing was signed. `cause` is for the log. */
export type SignerUnavailable = { readonly _tag: 'SignerUnavailable'; readonly cause: string }

/** One ed25519 key that signs, wherever it is kept. */
export interface SigningKey {
  readonly publicKey: AccountId
  /**
   * Signs these bytes (64 bytes of signature): the hash (32 bytes) of a transaction or a message, the whole payload of
   * a SEP-7 request, which that standard does not hash.
   */
  readonly sign: (bytes: Uint8Array, purpose: SigningPurpose) => TaskEither<SignerUnavailable, Uint8Array>
}
