import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { AccountId, type JsonObject, KeyedHash, Sealed } from '@quittance/domain'
import { loneProgram, mapProgram, rowsOf, type Sql, type SqlDialect, type SqlProgram } from '@quittance/event-store'
import * as O from 'fp-ts/lib/Option.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { markBesideVault, markTable, newestEvent } from '../log-marks.ts'
import { guardedSigner } from '../signing/guarded-signer.ts'
import type { Signer } from '../signing/signer.ts'
import { exists, write } from '../sql/query.ts'
import { addColumns, create, hasAll } from '../sql/schema.ts'
import { decrypt, encrypt } from './cipher.ts'
import type { ErasedSubjects } from './erased-subjects.ts'
import { chainHash, hashUnder } from './keyed-hash.ts'
import { keysElsewhere, type NamedKeys } from './keys-elsewhere.ts'
import type { KeyCarriage, LackingKey, Vault } from './port.ts'
import { seedSigner } from './seed-signer.ts'
import { sharedCommit } from './shared-commit.ts'
import { linkOlder, signingHeadTable, unlinkedIndex } from './signing-chain.ts'
import { signingRecordColumns, signingRecords, signingRecordTable } from './signing-record.ts'

export const lookupKeyName = 'lookup-key'
export const seedPrefix = 'secret/'
/** Before the name of a key that another signer holds, and before the public key of one. */
export const elsewherePrefix = 'elsewhere/'
export const holderPrefix = 'held/'
export const subjectPrefix = 'subject/'
export const carriedPrefix = 'carried/'
const placedPrefix = 'placed/'

// The index of an earlier release was on a condition that PostgreSQL cannot read.
const vaultTable = `
  CREATE TABLE IF NOT EXISTS vault (name TEXT PRIMARY KEY, wrapped BLOB NOT NULL) STRICT;
  DROP INDEX IF EXISTS erased;
  CREATE INDEX IF NOT EXISTS vault_erased ON vault (name) WHERE length(wrapped) = 0`

const schemas = [vaultTable, signingRecordTable, signingHeadTable, markTable]

/** Creates the tables of a vault, and adds what those of an earlier release lack. */
export const openVaultTables = (dialect: SqlDialect): SqlProgram<void> =>
  function* () {
    if (yield* hasAll(dialect, [...schemas, unlinkedIndex])()) return
    yield* rowsOf(dialect.openingLock)()
    for (const schema of schemas) yield* create(dialect, schema)()
    yield* addColumns(dialect, 'signing_records', signingRecordColumns)()
    yield* create(dialect, unlinkedIndex)()
  }

const wrappedOf = (name: string): SqlProgram<Uint8Array | null> =>
  loneProgram('SELECT wrapped FROM vault WHERE name = ?', [name], ({ rows: [row] }) =>
    row?.wrapped instanceof Uint8Array ? row.wrapped : null,
  )
const has = exists('SELECT 1 FROM vault WHERE name = ?')
const insert = write('INSERT INTO vault (name, wrapped) VALUES (?, ?) ON CONFLICT (name) DO NOTHING')
const empty = write(
  `INSERT INTO vault (name, wrapped) VALUES (?, ?)
   ON CONFLICT (name) DO UPDATE SET wrapped = excluded.wrapped WHERE length(vault.wrapped) > 0`,
)
const nothing = new Uint8Array(0)
/** An empty row replaces an erased key, so that the subject never gets another. */
const eraseKey = (subject: string): SqlProgram<void> => empty(`${subjectPrefix}${subject}`, nothing)
const isErased = (subject: string): SqlProgram<boolean> =>
  mapProgram(wrappedOf(`${subjectPrefix}${subject}`), (wrapped) => wrapped?.length === 0)
const erasedNames = rowsOf('SELECT name FROM vault WHERE length(wrapped) = 0')
/** Names of keys have no character behind `~`. */
const namesFrom = (beginning: string): SqlProgram<ReadonlyArray<string>> =>
  mapProgram(
    rowsOf('SELECT name FROM vault WHERE name >= ? AND name < ? ORDER BY name', beginning, `${beginning}~`),
    (rows) => rows.map(({ name }) => String(name)),
  )
const hasAnyCarried = exists('SELECT 1 FROM vault WHERE name > ? AND name < ? LIMIT 1')(
  carriedPrefix,
  `${carriedPrefix}~`,
)

const unwrap = (masterKey: KeyObject, name: string): SqlProgram<Buffer | null> =>
  mapProgram(wrappedOf(name), (wrapped) =>
    wrapped === null || wrapped.length === 0 ? null : decrypt(masterKey, name, wrapped),
  )

const newKey = () => randomBytes(32)

/** The 32 bytes of a name, which are never erased; the first process makes missing ones. */
const lasting = (masterKey: KeyObject, name: string): SqlProgram<Buffer> =>
  function* () {
    const known = yield* unwrap(masterKey, name)()
    if (known !== null) return known
    yield* insert(name, encrypt(masterKey, name, newKey()))()
    const made = yield* unwrap(masterKey, name)()
    if (made === null) throw new Error(`${name} is erased`)
    return made
  }

export type OpenedVault = {
  readonly masterKey: KeyObject
  readonly lookupKey: KeyObject
  readonly hasCarried: boolean
  /** Erased subjects that are not listed yet: an earlier release kept no list. */
  readonly unlisted: ReadonlyArray<string>
  /** Whether an older copy had keys that are listed as erased. */
  readonly hasRevived: boolean
}

/** Opens a vault, and destroys the keys that are listed as erased. Errors: throws `VaultMissing` and `WrongMasterKey`. */
export const openVault = (
  dialect: SqlDialect,
  masterKeyBytes: Uint8Array,
  mayBegin: boolean,
  erased: ErasedSubjects,
): SqlProgram<OpenedVault> => {
  const masterKey = createSecretKey(masterKeyBytes)
  return function* () {
    yield* openVaultTables(dialect)()
    if (!mayBegin && !(yield* has(lookupKeyName)())) throw new VaultMissing()
    const wrapped = yield* wrappedOf(lookupKeyName)()
    if (wrapped !== null) requireOpens(masterKey, lookupKeyName, wrapped)
    const lookupKey = createSecretKey(yield* lasting(masterKey, lookupKeyName)())
    yield* linkOlder(dialect, chainHash(lookupKey))()
    const known = new Set((yield* erasedNames()).map(({ name }) => String(name).slice(subjectPrefix.length)))
    const listed = erased.all()
    const revived = listed.filter((subject) => !known.has(subject))
    for (const subject of listed) known.delete(subject)
    for (const subject of revived) yield* eraseKey(subject)()
    const hasCarried = yield* hasAnyCarried()
    return { masterKey, lookupKey, hasCarried, unlisted: [...known], hasRevived: revived.length > 0 }
  }
}

/** Keys are read at each use, so that a key that one process erased is gone for all. `scrub` runs after an erasure. */
export const vaultOver = (
  sql: Sql,
  { masterKey, lookupKey, ...opened }: OpenedVault,
  erased: ErasedSubjects,
  elsewhere: Signer | null,
  scrub: () => Promise<void>,
): Vault => {
  const { run } = sql
  const unwrapped = (name: string) => run(unwrap(masterKey, name))
  const wrap = (name: string, value: Uint8Array): SqlProgram<void> => insert(name, encrypt(masterKey, name, value))
  /** The key of a subject, which is made if there was none; null if it was erased. */
  const kept = async (subject: string): Promise<Buffer | null> => {
    const name = `${subjectPrefix}${subject}`
    const known = await unwrapped(name)
    if (known !== null) return known
    await run(wrap(name, newKey()))
    return unwrapped(name)
  }
  const newest = newestEvent()
  const inSharedCommit = sharedCommit(sql)
  let lacking: ReadonlyArray<LackingKey> = []
  const mayMake = async (key: string): Promise<boolean> =>
    !lacking.some(({ name }) => key.startsWith(name)) || (await publicKeyOf(key)) !== null
  const hasSeed = (key: string): Promise<boolean> => run(has(`${seedPrefix}${key}`))
  const own = seedSigner({
    has: hasSeed,
    read: (key) => unwrapped(`${seedPrefix}${key}`),
    write: (key, hex) => run(wrap(`${seedPrefix}${key}`, hex)),
  })
  const textIn = (name: string): SqlProgram<string | null> =>
    mapProgram(unwrap(masterKey, name), (value) => value?.toString('latin1') ?? null)
  // A name keeps its key for ever, and each incoming payment asks for some.
  const knownElsewhere = new Map<string, AccountId>()
  const named: NamedKeys = {
    publicKey: async (key) => {
      const before = knownElsewhere.get(key)
      const found = before === undefined ? await run(textIn(`${elsewherePrefix}${key}`)) : null
      if (found === null) return before ?? null
      const account = decodeOrThrow(AccountId, found)
      knownElsewhere.set(key, account)
      return account
    },
    nameOf: (publicKey) => run(textIn(`${holderPrefix}${publicKey}`)),
    add: (key, publicKey) =>
      run(function* () {
        const [byName, byKey] = [`${elsewherePrefix}${key}`, `${holderPrefix}${publicKey}`]
        if ((yield* has(byName)()) || (yield* has(byKey)())) return
        yield* wrap(byName, Buffer.from(publicKey))()
        yield* wrap(byKey, Buffer.from(key))()
      }),
  }
  const others = keysElsewhere(named, elsewhere === null ? null : guardedSigner(elsewhere))
  const publicKeyOf = async (key: string): Promise<AccountId | null> =>
    (await own.publicKey(key)) ?? named.publicKey(key)
  const hashOf = (purpose: string, text: string): string => hashUnder(lookupKey, purpose, text)
  // Hashes of another vault, by ours of the same: what was recorded under them is found as before.
  let { hasCarried } = opened
  const carriedHash = async (own: string): Promise<string> =>
    hasCarried ? ((await run(textIn(`${carriedPrefix}${own}`))) ?? own) : own
  const place = (name: string, value: Uint8Array): SqlProgram<void> =>
    function* () {
      yield* wrap(name, value)()
      const found = yield* unwrap(masterKey, name)()
      if (found === null || !found.equals(value)) throw new OtherKeyKept(name)
    }
  const placeErased = (subject: string): SqlProgram<void> =>
    function* () {
      yield* insert(`${subjectPrefix}${subject}`, nothing)()
      if (!(yield* isErased(subject)())) throw new OtherKeyKept(subject)
    }
  const carriage: KeyCarriage = {
    subject: async (subject) => ((await run(isErased(subject))) ? 'erased' : unwrapped(`${subjectPrefix}${subject}`)),
    place: async (keys) => {
      const subjects = [...keys.subjects]
      const lastingKeys = [
        ...Array.from(keys.seeds, ({ name, seed }) => [
          place(`${seedPrefix}${name}`, Buffer.from(Buffer.from(seed).toString('hex'))),
          place(`${placedPrefix}${name}`, Buffer.from(name)),
        ]),
        ...Array.from(keys.hashes, ({ purpose, text, hash }) => [
          place(`${carriedPrefix}${hashOf(purpose, text)}`, Buffer.from(hash)),
        ]),
      ].flat()
      hasCarried = await run(function* () {
        for (const { subject, key } of subjects)
          if (key === 'erased') yield* placeErased(subject)()
          else if (!(yield* isErased(subject)())) yield* place(`${subjectPrefix}${subject}`, key)()
        for (const each of lastingKeys) yield* each()
        return yield* hasAnyCarried()
      })
      // Listed last: an erasure that was refused would be made at the next start. The list is made whole then, too.
      erased.add(subjects.flatMap(({ subject, key }) => (key === 'erased' ? [subject] : [])))
    },
    withSeed: own.withSeed,
    hasSeed,
    hasPlaced: (key) => run(has(`${placedPrefix}${key}`)),
    own: (purpose) => run(lasting(masterKey, `own/${purpose}`)),
  }
  return {
    carriage,
    prepare: (subject) => async () => {
      const name = `${subjectPrefix}${subject}`
      if (await run(has(name))) return
      await inSharedCommit(wrap(name, newKey()))
    },
    seal: async (subject, data) => {
      const key = await kept(subject)
      if (key === null) return O.none
      const box = encrypt(key, subject, Buffer.from(JSON.stringify(data)))
      return O.some(decodeOrThrow(Sealed, box.toString('base64')))
    },
    unseal: async (subject, sealed) => {
      const key = await unwrapped(`${subjectPrefix}${subject}`)
      if (key === null) return O.none
      const data: JsonObject = JSON.parse(decrypt(key, subject, Buffer.from(sealed, 'base64')).toString('utf8'))
      return O.some(data)
    },
    erase: async (subject) => {
      if (await run(isErased(subject))) return
      // Listed first: a process that dies in between leaves a key that the next start destroys.
      erased.add([subject])
      await run(eraseKey(subject))
      await scrub()
    },
    erased: erased.all,
    knows: (subject) => run(has(`${subjectPrefix}${subject}`)),
    keyedHash: async (purpose, text) => decodeOrThrow(KeyedHash, await carriedHash(hashOf(purpose, text))),
    publicKey: publicKeyOf,
    createKey: (key) => async () => {
      if (!(await mayMake(key))) throw new LackingKeyUsed(key)
      return (elsewhere === null || (await hasSeed(key)) ? own : others).createKey(key)()
    },
    sign: (request) => async () => ((await hasSeed(request.key)) ? own : others).sign(request)(),
    makesSeeds: elsewhere === null,
    keysNamed: async (beginning) => {
      const found: Array<string> = []
      for (const prefix of [seedPrefix, elsewherePrefix])
        for (const name of await run(namesFrom(`${prefix}${beginning}`))) found.push(name.slice(prefix.length))
      return found.sort()
    },
    noteLacking: (keys) => {
      lacking = keys
    },
    lacking: () => lacking,
    mayMake,
    signings: signingRecords(sql, newest, chainHash(lookupKey)),
    logMark: markBesideVault(sql),
    newest,
  }
}

/** A key of this name was used, and this vault, an older copy perhaps, lacks it. */
export class LackingKeyUsed extends Error {
  override readonly name = 'LackingKeyUsed'
  constructor(key: string) {
    super(`The vault lacks the key ${key}, which the log names`)
  }
}

/** A key of this name is to be placed, and the vault keeps another one under it. */
export class OtherKeyKept extends Error {
  override readonly name = 'OtherKeyKept'
  constructor(key: string) {
    super(`The vault keeps another key under ${key}`)
  }
}

export class VaultMissing extends Error {
  override readonly name = 'VaultMissing'
  constructor() {
    super('The log has events, and the vault that belongs to it is not there')
  }
}

export class WrongMasterKey extends Error {
  override readonly name = 'WrongMasterKey'
  constructor(cause: unknown) {
    super('The vault was not written under this master key', { cause })
  }
}

const requireOpens = (masterKey: KeyObject, name: string, wrapped: Uint8Array): void => {
  try {
    decrypt(masterKey, name, wrapped)
  } catch (cause) {
    throw new WrongMasterKey(cause)
  }
}
