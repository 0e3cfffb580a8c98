import type { JsonObject, KeyedHash, Sealed } from '@quittance/domain'
import type { Option } from 'fp-ts/lib/Option.js'
import type { Task } from 'fp-ts/lib/Task.js'
import type { SigningRecords } from './signing-record.ts'

/**
 * Keeps what must be forgotten or hidden, outside the log.
 *
 * Each subject (a customer's id) has a random key of its own; what is sealed under it stands in events as ciphertext.
 * Erasing the key makes every copy unreadable for ever, while the hash chains stay valid.
 */
export interface Vault {
  /**
   * Makes the subject's key where there never was one. Done once it is durable; those who ask at once share one commit,
   * which `seal` by itself does not. Rejects where the vault cannot be written.
   */
  readonly prepare: (subject: string) => Task<void>
  /**
   * Seals personal data (AES-256-GCM, bound to the subject); makes the subject's key where there never was one. `none`
   * once the subject is erased, which another process may do at any moment.
   */
  readonly seal: (subject: string, data: JsonObject) => Option<Sealed>
  /** `none` once the subject is erased. Ciphertext that does not open under a living key is a defect and throws. */
  readonly unseal: (subject: string, sealed: Sealed) => Option<JsonObject>
  /** Destroys the subject's key. Repeating it changes nothing. */
  readonly erase: (subject: string) => void
  /** HMAC-SHA-256 under a key that is never rotated: how sealed values are looked up. Purposes do not collide. */
  readonly keyedHash: (purpose: string, text: string) => KeyedHash
  /**
   * Hands `use` the seed (32 random bytes) of a signing key, which is made where there is none of that name yet, and
   * wipes it when `use` returns.
   */
  readonly withSeed: <A>(key: string, use: (seed: Uint8Array) => A) => A
  /** The names of the signing keys that begin so, in their order. */
  readonly keysNamed: (beginning: string) => ReadonlyArray<string>
  /** What the keys were used for. */
  readonly signings: SigningRecords
}
