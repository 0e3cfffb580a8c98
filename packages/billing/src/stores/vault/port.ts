import type { AccountId, Environment, JsonObject, KeyedHash, Sealed } from '@quittance/domain'
import type { Option } from 'fp-ts/lib/Option.js'
import type { Task } from 'fp-ts/lib/Task.js'
import type { MarkKeeper, NewestEvent } from '../log-marks.ts'
import type { Signer } from '../signing/signer.ts'
import type { SigningRecords } from './signing-record.ts'

/**
 * Keeps secrets and the keys of personal data outside the log. It knows each signing key by its name and public key; who holds
 * the secret of one, and signs with it, is a `Signer`: the vault itself, or one elsewhere.
 *
 * Each subject (a customer's id) has a random key of its own; events hold its data as ciphertext. Erasing the key makes
 * every copy unreadable for ever, while the hash chains stay valid.
 */
export interface Vault {
  /**
   * Makes the subject's key unless there was one, and resolves once it is durable. Concurrent calls share one commit, unlike
   * those of `seal`. Rejects if the vault cannot be written.
   */
  readonly prepare: (subject: string) => Task<void>
  /**
   * Seals personal data (AES-256-GCM, bound to the subject); makes the subject's key unless there was one. `none` once the
   * subject is erased, which another process may do at any moment.
   */
  readonly seal: (subject: string, data: JsonObject) => Promise<Option<Sealed>>
  /** `none` once the subject is erased. Ciphertext that does not open under a living key is a defect and rejects. */
  readonly unseal: (subject: string, sealed: Sealed) => Promise<Option<JsonObject>>
  /** Lists the subject apart from the vault, then destroys its key. Repeating it changes nothing. */
  readonly erase: (subject: string) => Promise<void>
  /** The subjects that are listed as erased, also those that an older log does not know as such. */
  readonly erased: () => ReadonlyArray<string>
  /** Whether the subject has a key, or had one that was erased. */
  readonly knows: (subject: string) => Promise<boolean>
  /** HMAC-SHA-256 under a key that is never rotated, to look sealed values up. Purposes do not collide. */
  readonly keyedHash: (purpose: string, text: string) => Promise<KeyedHash>
  /** The public key of a signing key; null while there is none of this name. */
  readonly publicKey: (key: string) => Promise<AccountId | null>
  /**
   * Makes a signing key unless there is one, and answers its public key, once the name of it is durable. Rejects with
   * `LackingKeyUsed` where `mayMake` forbids it.
   */
  readonly createKey: Signer['createKey']
  /** Signs by whoever holds the key. Nobody but a `SigningKey` of the vault calls it, since that records the use. */
  readonly sign: Signer['sign']
  /** Whether new keys are seeds of this vault, rather than another signer's. */
  readonly makesSeeds: boolean
  /** The names of the signing keys with this beginning, sorted. */
  readonly keysNamed: (beginning: string) => Promise<ReadonlyArray<string>>
  /** Notes keys that the log names and this vault lacks: while it does, none is made under these names. */
  readonly noteLacking: (keys: ReadonlyArray<LackingKey>) => void
  readonly lacking: () => ReadonlyArray<LackingKey>
  /** Whether a key is there or may be made. */
  readonly mayMake: (key: string) => Promise<boolean>
  readonly carriage: KeyCarriage
  readonly signings: SigningRecords
  /** A mark of the log beside the keys: nothing leaves for a network before it is durable. */
  readonly logMark: MarkKeeper
  /** The newest event that the users of this vault know. */
  readonly newest: NewestEvent
}

/** Takes keys to another vault, and places those of another one here. Placing is one transaction; repeated, it changes nothing. */
export interface KeyCarriage {
  /** The key of a subject; `erased`, or null if there never was one. */
  readonly subject: (subject: string) => Promise<Uint8Array | 'erased' | null>
  /**
   * Errors: rejects with `OtherKeyKept`, and places nothing, where this vault keeps another key under one of the names. A subject that
   * is erased here stays erased. `hashes`: what `keyedHash` answers from then on, as the vault did that they come from.
   */
  readonly place: (keys: CarriedKeys) => Promise<void>
  /**
   * Passes the seed (32 bytes) of a signing key to `use`, and wipes it when that returns: for another vault, or for a network of
   * trial. Rejects with `SeedNotKept` if the vault has no seed of this name.
   */
  readonly withSeed: <A>(key: string, use: (seed: Uint8Array) => A) => Promise<A>
  /** Whether the vault keeps the seed of a key, which another signer may hold. */
  readonly hasSeed: (key: string) => Promise<boolean>
  /** Whether a signing key was placed: another installation has it too. */
  readonly hasPlaced: (key: string) => Promise<boolean>
  /** 32 random bytes of this installation, for `purpose` alone. They are made where they are missing. */
  readonly own: (purpose: string) => Promise<Uint8Array>
}

export type CarriedKeys = {
  readonly subjects: Iterable<{ readonly subject: string; readonly key: Uint8Array | 'erased' }>
  readonly seeds: Iterable<{ readonly name: string; readonly seed: Uint8Array }>
  readonly hashes: Iterable<{ readonly purpose: string; readonly text: string; readonly hash: KeyedHash }>
}

/** A key that the log names and the vault lacks. `name`: its name or the beginning of it; `subject`: whose key it is. */
export type LackingKey = { readonly name: string; readonly environment: Environment; readonly subject: string }
