import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type JsonObject, Sealed } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { openDatabase } from '@quittance/event-store/sqlite'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { madeKey } from '../../testing/made-key.ts'
import { present, right } from '../../testing/outcomes.ts'
import { temporaryFolder } from '../../testing/platform.ts'
import { masterKeyFile, masterKeyFromHex } from './master-key.ts'
import type { Vault } from './port.ts'
import { sqliteVault } from './sqlite-vault.ts'
import { VaultMissing, WrongMasterKey } from './vault.ts'

const keyOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const inMemory = () => openDatabase(':memory:', { durability: 'full', secureDelete: true })
/** What is sealed for a subject that is not erased. */
const sealedIn = async (vault: Vault, subject: string, data: JsonObject) =>
  present(O.toNullable(await vault.seal(subject, data)))
const anyObject = fc
  .dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true })
  .map((values): JsonObject => JSON.parse(JSON.stringify(values)))

describe('the vault', () => {
  it('opens sealed data for its subject', async () => {
    const vault = sqliteVault(inMemory(), keyOf(1), true)
    await fc.assert(
      fc.asyncProperty(fc.string(), anyObject, async (subject, data) => {
        expect(await vault.unseal(subject, await sealedIn(vault, subject, data))).toEqual(O.some(data))
      }),
      { numRuns: 200, seed: 1 },
    )
  })

  it('seals the same data differently each time', async () => {
    const vault = sqliteVault(inMemory(), keyOf(1), true)
    expect(await sealedIn(vault, 'one', { name: 'Ada' })).not.toBe(await sealedIn(vault, 'one', { name: 'Ada' }))
  })

  it('does not open data for another subject, or with a changed byte', async () => {
    const vault = sqliteVault(inMemory(), keyOf(1), true)
    const sealed = await sealedIn(vault, 'one', { name: 'Ada' })
    await sealedIn(vault, 'two', {})
    await expect(vault.unseal('two', sealed)).rejects.toThrow()
    const bytes = Buffer.from(sealed, 'base64')
    for (let at = 0; at < bytes.length; at++) {
      const altered = Buffer.from(bytes)
      altered.writeUInt8(altered.readUInt8(at) ^ 1, at)
      await expect(vault.unseal('one', decoded(Sealed, altered.toString('base64')))).rejects.toThrow()
    }
  })

  it('does not open a key that was moved to another name', async () => {
    const database = inMemory()
    const vault = sqliteVault(database, keyOf(1), true)
    const sealed = await sealedIn(vault, 'one', { name: 'Ada' })
    database.prepare("UPDATE vault SET name = 'subject/two' WHERE name = 'subject/one'").run()
    await expect(vault.unseal('two', sealed)).rejects.toThrow()
  })

  it('opens nothing of an erased subject in any process, and loses nothing else', async () => {
    const database = inMemory()
    const [vault, other] = [sqliteVault(database, keyOf(1), true), sqliteVault(database, keyOf(1), true)]
    const [one, two] = [await sealedIn(vault, 'one', { n: 1 }), await sealedIn(vault, 'two', { n: 2 })]
    await vault.erase('one')
    await vault.erase('one')
    for (const each of [vault, other]) {
      expect(await each.unseal('one', one)).toEqual(O.none)
      expect(await each.unseal('two', two)).toEqual(O.some({ n: 2 }))
    }
  })

  it('makes the keys of concurrent requests in one commit, and no second key for a subject', async () => {
    const database = inMemory()
    const [vault, other] = [sqliteVault(database, keyOf(1), true), sqliteVault(database, keyOf(1), true)]
    const sealed = await sealedIn(vault, 'one', { n: 1 })
    await vault.seal('gone', {})
    await vault.erase('gone')
    let commits = 0
    const transaction = <A>(work: () => A): A => {
      commits++
      return database.transaction(work)
    }
    const busy = sqliteVault({ ...database, transaction }, keyOf(1), true)
    commits = 0
    await Promise.all(['one', 'two', 'three', 'two', 'gone'].map((subject) => busy.prepare(subject)()))
    expect(commits).toBe(1)
    const two = await sealedIn(other, 'two', { n: 2 })
    await busy.prepare('two')()
    expect(commits).toBe(1)
    expect([await vault.unseal('one', sealed), await busy.unseal('two', two)]).toEqual([
      O.some({ n: 1 }),
      O.some({ n: 2 }),
    ])
    expect(await vault.seal('gone', {})).toEqual(O.none)
  })

  it('rejects concurrent requests whose keys cannot be written, and makes keys for later ones', async () => {
    const database = inMemory()
    const vault = sqliteVault(database, keyOf(1), true)
    database.execute('ALTER TABLE vault RENAME TO away')
    database.execute('CREATE VIEW vault AS SELECT * FROM away')
    const asked = ['one', 'two'].map((subject) => vault.prepare(subject)())
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    database.execute('DROP VIEW vault')
    database.execute('ALTER TABLE away RENAME TO vault')
    await Promise.all(['one', 'two'].map((subject) => vault.prepare(subject)()))
    const names = database.prepare("SELECT name FROM vault WHERE name LIKE 'subject/%' ORDER BY name").all()
    expect(names.map(({ name }) => name)).toEqual(['subject/one', 'subject/two'])
  })

  it('never gives an erased subject another key', async () => {
    const vault = sqliteVault(inMemory(), keyOf(1), true)
    const sealed = await sealedIn(vault, 'one', { n: 1 })
    await vault.erase('one')
    expect(await vault.seal('one', { n: 2 })).toEqual(O.none)
    expect(await vault.unseal('one', sealed)).toEqual(O.none)
  })

  it('places no key of a subject that is erased here, and places what comes with it', async () => {
    const vault = sqliteVault(inMemory(), keyOf(1), true)
    await vault.erase('one')
    const [own, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    const subjects = [
      { subject: 'one', key: own },
      { subject: 'two', key: other },
    ]
    for (let times = 0; times < 2; times++) await vault.carriage.place({ subjects, seeds: [], hashes: [] })
    expect(await vault.carriage.subject('one')).toBe('erased')
    expect(await vault.carriage.subject('two')).toEqual(other)
  })

  it('rejects another master key when it opens', async () => {
    const database = inMemory()
    await sqliteVault(database, keyOf(1), true).seal('one', {})
    expect(() => sqliteVault(database, keyOf(2), true)).toThrow(WrongMasterKey)
    expect(() => sqliteVault(database, keyOf(1), true)).not.toThrow()
  })

  it('rejects an empty vault when an earlier one has sealed data', async () => {
    const database = inMemory()
    expect(() => sqliteVault(database, keyOf(1), false)).toThrow(VaultMissing)
    sqliteVault(database, keyOf(1), true)
    expect(() => sqliteVault(database, keyOf(1), false)).not.toThrow()
  })

  it('hashes a text equally in every process, and differently for each purpose and vault', async () => {
    const database = inMemory()
    const vault = sqliteVault(database, keyOf(1), true)
    const hash = await vault.keyedHash('email', 'a')
    expect(await sqliteVault(database, keyOf(1), true).keyedHash('email', 'a')).toBe(hash)
    expect(await sqliteVault(inMemory(), keyOf(1), true).keyedHash('email', 'a')).not.toBe(hash)
    const purpose = fc.string({ maxLength: 5 }).filter((text) => !text.includes('\0'))
    await fc.assert(
      fc.asyncProperty(
        purpose,
        fc.string({ maxLength: 5 }),
        purpose,
        fc.string({ maxLength: 5 }),
        async (p, a, q, b) => {
          const isSame = p === q && a === b
          expect((await vault.keyedHash(p, a)) === (await vault.keyedHash(q, b))).toBe(isSame)
        },
      ),
      { numRuns: 500, seed: 1 },
    )
  })

  it('has one seed for each key, the same in every process', async () => {
    const database = inMemory()
    const vaults = [sqliteVault(database, keyOf(1), true), sqliteVault(database, keyOf(1), true)]
    const copy = (seed: Uint8Array): string => Buffer.from(seed).toString('hex')
    for (const key of ['settlement/testnet/one', 'settlement/mainnet/one']) await madeKey(present(vaults[0]), key)
    const seeds = vaults.map((vault) => vault.carriage.withSeed('settlement/testnet/one', copy))
    const [one, again] = await Promise.all(seeds)
    expect(one).toMatch(/^[0-9a-f]{64}$/)
    expect(again).toBe(one)
    expect(await present(vaults[0]).carriage.withSeed('settlement/mainnet/one', copy)).not.toBe(one)
  })

  it('wipes a seed after its use, even if the use throws', async () => {
    const vault = sqliteVault(inMemory(), keyOf(1), true)
    const seen: Array<Uint8Array> = []
    await madeKey(vault, 'one')
    await vault.carriage.withSeed('one', (seed) => seen.push(seed))
    const failing = () => vault.carriage.withSeed('one', (seed) => failedWith(seed))
    const failedWith = (seed: Uint8Array): never => {
      seen.push(seed)
      throw new Error('a test')
    }
    await expect(failing()).rejects.toThrow('a test')
    expect(seen).toEqual([Buffer.alloc(32), Buffer.alloc(32)])
  })
})

describe('the master key', () => {
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => {
    folder = temporaryFolder()
  })
  afterEach(() => folder.remove())

  it('is 64 hex digits', () => {
    expect(right(masterKeyFromHex(` ${'aB'.repeat(32)}\n`))).toEqual(keyOf(0xab))
    const malformed = { _tag: 'Left', left: { _tag: 'MalformedMasterKey' } }
    for (const text of ['', 'ab', 'g'.repeat(64), 'a'.repeat(65)]) expect(masterKeyFromHex(text)).toEqual(malformed)
  })

  it('is generated once, into a file that only its owner can read', () => {
    const path = join(folder.path, 'master.key')
    const key = right(masterKeyFile(path))
    expect(right(masterKeyFile(path))).toEqual(key)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path, 'utf8')).toBe(`${Buffer.from(key).toString('hex')}\n`)
    expect(readdirSync(folder.path)).toEqual(['master.key'])
  })

  it('is rejected, and not replaced, when its file is damaged', () => {
    const path = join(folder.path, 'master.key')
    writeFileSync(path, 'nonsense')
    expect(masterKeyFile(path)).toEqual({ _tag: 'Left', left: { _tag: 'MalformedMasterKey' } })
    expect(readFileSync(path, 'utf8')).toBe('nonsense')
  })
})
