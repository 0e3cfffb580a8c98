import { createHash, createHmac } from 'node:crypto'
import type { NewestEvent, Vault } from '@quittance/billing/testing/internals'
import { newestEvent, openVaultTables, signingRecords, sqliteMark } from '@quittance/billing/testing/internals'
import { KeyedHash, Sealed } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import type { SqlDatabase } from '@quittance/event-store'
import { runNow, sqlitePrograms } from '@quittance/event-store/sqlite'
import { localSigner } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'

/** The content of a vault's file: the names of its keys and the erased subjects. */
export type VaultFile = { readonly keys: Set<string>; readonly erased: Set<string> }

export const emptyVaultFile = (): VaultFile => ({ keys: new Set(), erased: new Set() })

export const copyOf = ({ keys, erased }: VaultFile): VaultFile => ({ keys: new Set(keys), erased: new Set(erased) })

const made = new WeakMap<object, Map<string, unknown>>()

/** Caches the result of `use`, which depends on the key's seed alone and is needed in every run. */
const madeOnce = <A>(key: string, use: (seed: Uint8Array) => A): A => {
  const known = made.get(use) ?? new Map<string, unknown>()
  made.set(use, known)
  if (!known.has(key)) known.set(key, use(createHash('sha256').update(`seed of ${key}`).digest()))
  // This very function made the cached value.
  return known.get(key) as A
}

/**
 * A vault without secrets: keys derive from their names, so that a seed gives the same signatures everywhere, and
 * sealed data is readable. All processes of a run share a file.
 */
export const openVault = (
  sql: SqlDatabase,
  { keys, erased }: VaultFile,
  newest: NewestEvent = newestEvent(),
): Vault => {
  const programs = sqlitePrograms(sql)
  runNow(sql, openVaultTables(programs.dialect))
  return {
    prepare: () => () => Promise.resolve(),
    seal: async (subject, data) =>
      erased.has(subject) ? O.none : O.some(decoded(Sealed, Buffer.from(JSON.stringify(data)).toString('base64'))),
    unseal: async (subject, sealed) =>
      erased.has(subject) ? O.none : O.some(JSON.parse(Buffer.from(sealed, 'base64').toString('utf8'))),
    erase: async (subject) => void erased.add(subject),
    erased: () => [...erased],
    knows: async () => true,
    keyedHash: async (purpose, text) =>
      decoded(KeyedHash, createHmac('sha256', 'simulation').update(`${purpose}\0${text}`).digest('hex')),
    makesSeeds: true,
    // No merchant of a simulation moves.
    carriage: {
      subject: async () => null,
      place: async () => undefined,
      hasPlaced: async () => false,
      own: async () => new Uint8Array(32),
      hasSeed: async (key) => keys.has(key),
      withSeed: async (key, use) => madeOnce(key, use),
    },
    publicKey: async (key) => (keys.has(key) ? madeOnce(key, localSigner).publicKey : null),
    createKey: (key) => async () => {
      keys.add(key)
      return E.right(madeOnce(key, localSigner).publicKey)
    },
    sign: ({ key, bytes, purpose }) => madeOnce(key, localSigner).sign(bytes, purpose),
    keysNamed: async (beginning) => [...keys].filter((key) => key.startsWith(beginning)).sort(),
    noteLacking: () => undefined,
    lacking: () => [],
    mayMake: async () => true,
    signings: signingRecords(programs, newest, (text) => createHash('sha256').update(text).digest('hex')),
    logMark: sqliteMark(sql),
    newest,
  }
}
