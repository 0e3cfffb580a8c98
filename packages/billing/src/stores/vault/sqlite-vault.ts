import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { AccountId, type JsonObject, KeyedHash, Sealed } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import * as O from 'fp-ts/lib/Option.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { newestEvent, sqliteMark } from '../log-marks.ts'
import { guardedSigner } from '../signing/guarded-signer.ts'
import type { Signer } from '../signing/signer.ts'
import { decrypt, encrypt } from './cipher.ts'
import { type ErasedSubjects, erasedInMemory } from './erased-subjects.ts'
import { keysElsewhere, type NamedKeys } from './keys-elsewhere.ts'
import type { KeyCarriage, LackingKey, Vault } from './port.ts'
import { seedSigner } from './seed-signer.ts'
import { sharedCommit } from './shared-commit.ts'
import { sqliteSigningRecords } from './signing-record.ts'

export const lookupKeyName = 'lookup-key'
export const seedPrefix = 'secret/'
/** Before the name of a key that another signer holds, and before the public key of one. */
export const elsewherePrefix = 'elsewhere/'
const holderPrefix = 'held/'
const subjectPrefix = 'subject/'
const carriedPrefix = 'carried/'
const placedPrefix = 'placed/'

/**
 * A vault in a file of its own, so that a copy of the log never carries a key. The master key wraps every row, bound to its
 * name; a wrong one throws `WrongMasterKey` here, at start-up. Keys are read at each use, so that a key that one process
 * erased is gone for all. `mayBegin`: whether no earlier vault has sealed or hashed anything. Otherwise an empty vault is
 * the wrong one, and throws `VaultMissing`. An older copy may have keys that are listed as erased: they are destroyed here.
 * `elsewhere` makes and holds all keys from now on; the seeds that are here already go on to sign. Without it, the vault does.
 */
export const sqliteVault = (
  sql: SqlDatabase,
  masterKeyBytes: Uint8Array,
  mayBegin: boolean,
  erased: ErasedSubjects = erasedInMemory(),
  elsewhere: Signer | null = null,
): Vault => {
  const masterKey = createSecretKey(masterKeyBytes)
  sql.execute('PRAGMA secure_delete = ON')
  // The write-ahead log keeps earlier pages, so a key is gone only once that log is emptied: here, after a crash.
  const emptyLog = () => sql.execute('PRAGMA wal_checkpoint(TRUNCATE)')
  emptyLog()
  sql.execute('CREATE TABLE IF NOT EXISTS vault (name TEXT PRIMARY KEY, wrapped BLOB NOT NULL) STRICT')
  const find = sql.prepare('SELECT wrapped FROM vault WHERE name = ?')
  sql.execute("CREATE INDEX IF NOT EXISTS erased ON vault (name) WHERE wrapped = x''")
  const rowsNamed = sql.prepare('SELECT name FROM vault WHERE substr(name, 1, length(?)) = ? ORDER BY name')
  const insert = sql.prepare('INSERT INTO vault (name, wrapped) VALUES (?, ?) ON CONFLICT (name) DO NOTHING')
  // An empty row replaces an erased key, so that the subject never gets another.
  const empty = sql.prepare(
    `INSERT INTO vault (name, wrapped) VALUES (?, x'')
     ON CONFLICT (name) DO UPDATE SET wrapped = x'' WHERE wrapped <> x''`,
  )

  const unwrap = (name: string): O.Option<Buffer> => {
    const wrapped = find.get(name)?.wrapped
    return wrapped instanceof Uint8Array && wrapped.length > 0 ? O.some(decrypt(masterKey, name, wrapped)) : O.none
  }
  /** The value of a name; the first process makes a missing one. `none` if it was erased. */
  const kept = (name: string, make: () => Uint8Array): O.Option<Buffer> => {
    const known = unwrap(name)
    if (O.isSome(known)) return known
    insert.run(name, encrypt(masterKey, name, make()))
    return unwrap(name)
  }
  /** As `kept`, for values that are never erased. */
  const lasting = (name: string, make: () => Uint8Array): Buffer => {
    const known = kept(name, make)
    if (O.isNone(known)) throw new Error(`${name} is erased`)
    return known.value
  }
  const newKey = () => randomBytes(32)
  const isErased = (subject: string): boolean => {
    const wrapped = find.get(`${subjectPrefix}${subject}`)?.wrapped
    return wrapped instanceof Uint8Array && wrapped.length === 0
  }
  /** Makes the vault and the list agree: an earlier release kept no list. */
  const eraseAgain = (): void => {
    const rows = sql.prepare("SELECT name FROM vault WHERE wrapped = x''").all()
    const known = new Set(rows.map(({ name }) => String(name).slice(subjectPrefix.length)))
    const listed = erased.all()
    const revived = listed.filter((subject) => !known.has(subject))
    for (const subject of listed) known.delete(subject)
    erased.add([...known])
    if (revived.length === 0) return
    sql.transaction(() => {
      for (const subject of revived) empty.run(`${subjectPrefix}${subject}`)
    })
    emptyLog()
  }

  if (!mayBegin && find.get(lookupKeyName) === undefined) throw new VaultMissing()
  const lookupKey = createSecretKey(openWith(() => lasting(lookupKeyName, newKey)))
  eraseAgain()
  const newest = newestEvent()
  const inSharedCommit = sharedCommit(sql)
  let lacking: ReadonlyArray<LackingKey> = []
  const mayMake = (key: string): boolean =>
    !lacking.some(({ name }) => key.startsWith(name)) || publicKeyOf(key) !== null
  const hasSeed = (key: string): boolean => find.get(`${seedPrefix}${key}`) !== undefined
  const own = seedSigner({
    has: hasSeed,
    read: (key) => O.toNullable(unwrap(`${seedPrefix}${key}`)),
    write: (key, hex) => void insert.run(`${seedPrefix}${key}`, encrypt(masterKey, `${seedPrefix}${key}`, hex)),
  })
  const textIn = (name: string): string | null => O.toNullable(unwrap(name))?.toString('latin1') ?? null
  // A name keeps its key for ever, and each incoming payment asks for some.
  const knownElsewhere = new Map<string, AccountId>()
  const named: NamedKeys = {
    publicKey: (key) => {
      const before = knownElsewhere.get(key)
      const found = before === undefined ? textIn(`${elsewherePrefix}${key}`) : null
      if (found === null) return before ?? null
      const account = decodeOrThrow(AccountId, found)
      knownElsewhere.set(key, account)
      return account
    },
    nameOf: (publicKey) => textIn(`${holderPrefix}${publicKey}`),
    add: (key, publicKey) =>
      sql.transaction(() => {
        if (textIn(`${elsewherePrefix}${key}`) !== null || textIn(`${holderPrefix}${publicKey}`) !== null) return
        for (const [name, value] of [
          [`${elsewherePrefix}${key}`, publicKey] as const,
          [`${holderPrefix}${publicKey}`, key] as const,
        ])
          insert.run(name, encrypt(masterKey, name, Buffer.from(value)))
      }),
  }
  const others = keysElsewhere(named, elsewhere === null ? null : guardedSigner(elsewhere))
  const publicKeyOf = (key: string): AccountId | null => own.publicKey(key) ?? named.publicKey(key)
  const hashOf = (purpose: string, text: string): string =>
    createHmac('sha256', lookupKey).update(`${purpose}\0`).update(text).digest('hex')
  // Hashes of another vault, by ours of the same: what was recorded under them is found as before.
  const anyCarried = sql.prepare('SELECT 1 FROM vault WHERE name > ? AND name < ? LIMIT 1')
  const isCarrying = () => anyCarried.get(carriedPrefix, `${carriedPrefix}~`) !== undefined
  let hasCarried = isCarrying()
  const carriedHash = (own: string): string => {
    const carried = hasCarried ? unwrap(`${carriedPrefix}${own}`) : O.none
    return O.isSome(carried) ? carried.value.toString('latin1') : own
  }
  const place = (name: string, value: Uint8Array): void => {
    insert.run(name, encrypt(masterKey, name, value))
    const found = unwrap(name)
    if (O.isNone(found) || !found.value.equals(value)) throw new OtherKeyKept(name)
  }
  const placeErased = (subject: string): void => {
    insert.run(`${subjectPrefix}${subject}`, new Uint8Array(0))
    if (!isErased(subject)) throw new OtherKeyKept(subject)
  }
  const carriage: KeyCarriage = {
    subject: (subject) => (isErased(subject) ? 'erased' : O.toNullable(unwrap(`${subjectPrefix}${subject}`))),
    place: ({ subjects, seeds, hashes }) => {
      const gone: Array<string> = []
      sql.transaction(() => {
        for (const { subject, key } of subjects)
          if (key === 'erased') {
            placeErased(subject)
            gone.push(subject)
          } else if (!isErased(subject)) place(`${subjectPrefix}${subject}`, key)
        for (const { name, seed } of seeds) {
          place(`${seedPrefix}${name}`, Buffer.from(Buffer.from(seed).toString('hex')))
          place(`${placedPrefix}${name}`, Buffer.from(name))
        }
        for (const { purpose, text, hash } of hashes)
          place(`${carriedPrefix}${hashOf(purpose, text)}`, Buffer.from(hash))
      })
      // Listed last: an erasure that was refused would be made at the next start. The list is made whole then, too.
      erased.add(gone)
      hasCarried = isCarrying()
    },
    withSeed: own.withSeed,
    hasSeed,
    hasPlaced: (key) => find.get(`${placedPrefix}${key}`) !== undefined,
    own: (purpose) => lasting(`own/${purpose}`, newKey),
  }
  return {
    carriage,
    prepare: (subject) => async () => {
      const name = `${subjectPrefix}${subject}`
      if (find.get(name) !== undefined) return
      await inSharedCommit(() => void insert.run(name, encrypt(masterKey, name, newKey())))
    },
    seal: (subject, data) =>
      O.map((key: Buffer) => {
        const box = encrypt(key, subject, Buffer.from(JSON.stringify(data)))
        return decodeOrThrow(Sealed, box.toString('base64'))
      })(kept(`${subjectPrefix}${subject}`, newKey)),
    unseal: (subject, sealed) => {
      const key = unwrap(`${subjectPrefix}${subject}`)
      if (O.isNone(key)) return O.none
      const data: JsonObject = JSON.parse(decrypt(key.value, subject, Buffer.from(sealed, 'base64')).toString('utf8'))
      return O.some(data)
    },
    erase: (subject) => {
      if (isErased(subject)) return
      // Listed first: a process that dies in between leaves a key that the next start destroys.
      erased.add([subject])
      empty.run(`${subjectPrefix}${subject}`)
      emptyLog()
    },
    erased: erased.all,
    knows: (subject) => find.get(`${subjectPrefix}${subject}`) !== undefined,
    keyedHash: (purpose, text) => decodeOrThrow(KeyedHash, carriedHash(hashOf(purpose, text))),
    publicKey: publicKeyOf,
    createKey: (key) => () => {
      if (!mayMake(key)) throw new LackingKeyUsed(key)
      return (elsewhere === null || hasSeed(key) ? own : others).createKey(key)()
    },
    sign: (request) => (hasSeed(request.key) ? own : others).sign(request),
    makesSeeds: elsewhere === null,
    keysNamed: (beginning) => {
      const found = [seedPrefix, elsewherePrefix].flatMap((prefix) => {
        const wanted = `${prefix}${beginning}`
        return rowsNamed.all(wanted, wanted).map(({ name }) => String(name).slice(prefix.length))
      })
      return found.sort()
    },
    noteLacking: (keys) => {
      lacking = keys
    },
    lacking: () => lacking,
    mayMake,
    signings: sqliteSigningRecords(sql, newest),
    logMark: sqliteMark(sql),
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

const openWith = (read: () => Buffer): Buffer => {
  try {
    return read()
  } catch (cause) {
    throw new WrongMasterKey(cause)
  }
}
