import { randomBytes } from 'node:crypto'
import type { AccountId } from '@quittance/domain'
import { localSigner, type SignerUnavailable } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Signer } from '../signing/signer.ts'

/** Where seeds are written: wrapped by the master key. Who reads one wipes it. */
export type SeedRows = {
  readonly has: (key: string) => Promise<boolean>
  readonly read: (key: string) => Promise<Buffer | null>
  /** Writes a seed unless there is one of this name. */
  readonly write: (key: string, hex: Buffer) => Promise<void>
}

/** The signer that a vault is. `withSeed` wipes the seed when `use` returns or throws. */
export type SeedSigner = Signer & {
  readonly publicKey: (key: string) => Promise<AccountId | null>
  readonly withSeed: <A>(key: string, use: (seed: Uint8Array) => A) => Promise<A>
}

/** Signs with the seeds of a vault. Each is read for one use, and wiped after it. */
export const seedSigner = (rows: SeedRows): SeedSigner => {
  // A key keeps its name for ever. Deriving a public key takes as long as a signature, and each incoming payment asks.
  const known = new Map<string, AccountId>()
  const withSeed: SeedSigner['withSeed'] = async (key, use) => {
    const hex = await rows.read(key)
    if (hex === null) throw new SeedNotKept(key)
    const seed = Buffer.from(hex.toString('latin1'), 'hex')
    try {
      return use(seed)
    } finally {
      for (const bytes of [hex, seed]) bytes.fill(0)
    }
  }
  const publicKey = async (key: string): Promise<AccountId | null> => {
    const before = known.get(key)
    if (before !== undefined || !(await rows.has(key))) return before ?? null
    const { publicKey: derived } = await withSeed(key, localSigner)
    known.set(key, derived)
    return derived
  }
  const made = async (key: string): Promise<AccountId> => {
    const seed = randomBytes(32)
    const hex = Buffer.from(seed.toString('hex'))
    try {
      await rows.write(key, hex)
    } finally {
      for (const bytes of [hex, seed]) bytes.fill(0)
    }
    return (await withSeed(key, localSigner)).publicKey
  }
  return {
    publicKey,
    withSeed,
    createKey: (key) => orUnavailable(async () => (await publicKey(key)) ?? made(key)),
    sign:
      ({ key, bytes, purpose }) =>
      async () => {
        const signer = await orUnavailable(() => withSeed(key, localSigner))()
        return E.isLeft(signer) ? signer : signer.right.sign(bytes, purpose)()
      },
  }
}

const orUnavailable = <A>(work: () => Promise<A>): TE.TaskEither<SignerUnavailable, A> =>
  TE.tryCatch(work, (cause) => ({ _tag: 'SignerUnavailable', cause: String(cause) }))

/** The seed of a key was asked for, and the vault keeps none of this name: another signer may hold the key. */
export class SeedNotKept extends Error {
  override readonly name = 'SeedNotKept'
  constructor(key: string) {
    super(`The vault keeps no seed of the key ${key}`)
  }
}
