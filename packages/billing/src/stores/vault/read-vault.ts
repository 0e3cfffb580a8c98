import { createSecretKey, type KeyObject } from 'node:crypto'
import { AccountId, KeyedHash } from '@quittance/domain'
import { rowsOf, type SqlDialect, type SqlProgram, type SqlRow } from '@quittance/event-store'
import { localSigner } from '@quittance/ledger'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { exists } from '../sql/query.ts'
import { decrypt } from './cipher.ts'
import { chainHash, hashUnder } from './keyed-hash.ts'
import type { ChainHash } from './signing-chain.ts'
import { carriedPrefix, elsewherePrefix, holderPrefix, lookupKeyName, seedPrefix, subjectPrefix } from './vault.ts'

/** All keys of a vault, as somebody reads them who only looks. `unreadable`: names of rows that do not open. */
export type VaultKeys = {
  readonly subjects: ReadonlyMap<string, Uint8Array | 'erased'>
  /** The public keys by the names of the signing keys. */
  readonly signing: ReadonlyMap<string, AccountId>
  /** Null where the key of the hashes is not there. */
  readonly keyedHash: ((purpose: string, text: string) => KeyedHash) | null
  readonly unreadable: ReadonlyArray<string>
  /** Chains the records of signatures; null where the key of the hashes is not there. */
  readonly chainHash: ChainHash | null
}

/** Why no key of a vault can be read. */
export type VaultUnread = { readonly _tag: 'NoVault' } | { readonly _tag: 'WrongMasterKey' }

const rowsAtOnce = 1_000

/** Reads every key of a vault once, and changes nothing. A row that was altered, or stands under another name, does not open. */
export const readVault = (dialect: SqlDialect, masterKeyBytes: Uint8Array): SqlProgram<VaultKeys | VaultUnread> => {
  const masterKey = createSecretKey(masterKeyBytes)
  return function* () {
    if (!(yield* exists(dialect.hasTable)('vault')())) return { _tag: 'NoVault' }
    const reading = newReading(masterKey)
    for (let after = ''; ; ) {
      const rows = yield* rowsOf(
        'SELECT name, wrapped FROM vault WHERE name > ? ORDER BY name LIMIT ?',
        after,
        rowsAtOnce,
      )()
      for (const row of rows) reading.read(row)
      const last = rows.at(-1)
      if (last === undefined) break
      after = String(last.name)
    }
    return reading.isAnyOpen() ? reading.keys() : { _tag: reading.isEmpty() ? 'NoVault' : 'WrongMasterKey' }
  }
}

const newReading = (masterKey: KeyObject) => {
  const subjects = new Map<string, Uint8Array | 'erased'>()
  const signing = new Map<string, AccountId>()
  const carried = new Map<string, string>()
  const holders = new Map<string, string>()
  const unreadable: Array<string> = []
  let lookupKey: KeyObject | null = null
  let opened = 0

  const take = (name: string, value: Buffer): void => {
    if (name === lookupKeyName) lookupKey = createSecretKey(value)
    else if (name.startsWith(subjectPrefix)) subjects.set(name.slice(subjectPrefix.length), value)
    else if (name.startsWith(carriedPrefix)) carried.set(name.slice(carriedPrefix.length), value.toString('latin1'))
    else if (name.startsWith(holderPrefix)) holders.set(name.slice(holderPrefix.length), value.toString('latin1'))
    else if (name.startsWith(elsewherePrefix))
      signing.set(name.slice(elsewherePrefix.length), decodeOrThrow(AccountId, value.toString('latin1')))
    else if (name.startsWith(seedPrefix)) {
      const seed = Buffer.from(value.toString('latin1'), 'hex')
      signing.set(name.slice(seedPrefix.length), localSigner(seed).publicKey)
      for (const bytes of [value, seed]) bytes.fill(0)
    }
  }

  return {
    read: ({ name: column, wrapped }: SqlRow): void => {
      const name = String(column)
      if (!(wrapped instanceof Uint8Array)) return void unreadable.push(name)
      // Only the keys of subjects are ever destroyed.
      if (wrapped.length === 0 && name.startsWith(subjectPrefix))
        return void subjects.set(name.slice(subjectPrefix.length), 'erased')
      try {
        take(name, decrypt(masterKey, name, wrapped))
        opened += 1
      } catch {
        unreadable.push(name)
      }
    },
    isAnyOpen: () => opened > 0,
    isEmpty: () => unreadable.length === 0,
    keys: (): VaultKeys => {
      const lookup = lookupKey
      const hash = (key: KeyObject) => (purpose: string, text: string) => {
        const own = hashUnder(key, purpose, text)
        return decodeOrThrow(KeyedHash, carried.get(own) ?? own)
      }
      const misheld = [...signing].filter(([name, key]) => holders.has(key) && holders.get(key) !== name)
      return {
        subjects,
        signing,
        keyedHash: lookup === null ? null : hash(lookup),
        chainHash: lookup === null ? null : chainHash(lookup),
        unreadable: [...unreadable, ...misheld.map(([name]) => `${elsewherePrefix}${name}`)],
      }
    },
  }
}
