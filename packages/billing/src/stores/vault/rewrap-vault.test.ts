import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sealed } from '@quittance/domain'
import { openDatabase } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { madeKey } from '../../testing/made-key.ts'
import { present } from '../../testing/outcomes.ts'
import { temporaryFolder } from '../../testing/platform.ts'
import { rewrapVault } from './rewrap-vault.ts'
import { sqliteVault } from './sqlite-vault.ts'
import { WrongMasterKey } from './vault.ts'

const keyOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const [oldKey, newKey, otherKey] = [keyOf(1), keyOf(2), keyOf(3)]
const hexOf = (seed: Uint8Array): string => Buffer.from(seed).toString('hex')
const subjects = Array.from({ length: 200 }, (_, n) => `cus_${n}`)

describe('rewrapping a vault', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let path = ''
  beforeEach(() => {
    folder = temporaryFolder()
    path = join(folder.path, 'vault.db')
  })
  afterEach(() => folder.remove())
  const open = (file = path) => openDatabase(file, { durability: 'full', secureDelete: true })
  const within = async <A>(work: (sql: ReturnType<typeof open>) => A | Promise<A>, file = path): Promise<A> => {
    const sql = open(file)
    try {
      return await work(sql)
    } finally {
      sql.close()
    }
  }
  const filled = () =>
    within(async (sql) => {
      const vault = sqliteVault(sql, oldKey, true)
      const sealed: Array<Sealed> = []
      for (const subject of subjects) sealed.push(present(O.toNullable(await vault.seal(subject, { subject }))))
      await vault.erase('cus_7')
      return {
        sealed,
        key: await madeKey(vault, 'settlement/testnet/a'),
        seed: await vault.carriage.withSeed('settlement/testnet/a', hexOf),
        hash: await vault.keyedHash('email', 'a'),
      }
    })
  const wrapped = () =>
    within((sql) =>
      sql
        .prepare("SELECT wrapped FROM vault WHERE wrapped <> x'' ORDER BY name")
        .all()
        .map((row) => Buffer.from(row.wrapped instanceof Uint8Array ? row.wrapped : [])),
    )
  const rewrap = (from = oldKey, to = newKey) => within((sql) => rewrapVault(sql, from, to))

  it('keeps every key under the new master key alone', async () => {
    const { sealed, seed, hash } = await filled()
    expect(await rewrap()).toEqual(E.right(subjects.length + 1))
    await expect(within((sql) => sqliteVault(sql, oldKey, false))).rejects.toThrow(WrongMasterKey)
    await within(async (sql) => {
      const vault = sqliteVault(sql, newKey, false)
      const opened = await Promise.all(subjects.map((subject, at) => vault.unseal(subject, present(sealed[at]))))
      expect(opened).toEqual(subjects.map((subject) => (subject === 'cus_7' ? O.none : O.some({ subject }))))
      expect([
        await vault.carriage.withSeed('settlement/testnet/a', hexOf),
        await vault.keyedHash('email', 'a'),
      ]).toEqual([seed, hash])
      expect(await vault.seal('cus_7', {})).toEqual(O.none)
    })
  })

  it('leaves no byte in the files that the old master key opens', async () => {
    await filled()
    const before = await wrapped()
    const found = () => {
      const files = readdirSync(folder.path).map((name) => readFileSync(join(folder.path, name)))
      return before.filter((box) => files.some((bytes) => bytes.includes(box))).length
    }
    expect(found()).toBe(subjects.length + 1)
    await rewrap()
    expect(found()).toBe(0)
  })

  it('wraps nothing a second time', async () => {
    await filled()
    await rewrap()
    const after = await wrapped()
    expect([await rewrap(), await rewrap(newKey, newKey), await rewrap(otherKey, newKey)]).toEqual([
      E.right(0),
      E.right(0),
      E.right(0),
    ])
    expect(await wrapped()).toEqual(after)
  })

  it('changes nothing under another master key, and in an empty file', async () => {
    expect(await rewrap()).toEqual(E.left({ _tag: 'VaultEmpty' }))
    await filled()
    const before = await wrapped()
    expect(await rewrap(otherKey)).toEqual(E.left({ _tag: 'WrongMasterKey' }))
    expect(await wrapped()).toEqual(before)
  })

  it('changes nothing while another connection has the vault open, even one that only reads', async () => {
    await filled()
    const before = await wrapped()
    for (const readOnly of [false, true]) {
      const other = openDatabase(path, { durability: 'full', readOnly })
      other.prepare('SELECT count(*) FROM vault').get()
      expect(await rewrap()).toEqual(E.left({ _tag: 'VaultInUse' }))
      other.close()
    }
    expect(await wrapped()).toEqual(before)
  }, 30_000)

  it('lets nobody open the vault until it is closed', async () => {
    await filled()
    await within((sql) => {
      expect(rewrapVault(sql, oldKey, newKey)).toMatchObject({ _tag: 'Right' })
      expect(() => open()).toThrow('database is locked')
    })
    await expect(within((sql) => sqliteVault(sql, newKey, false))).resolves.toBeDefined()
  }, 30_000)

  it('leaves a copy from before to the old master key', async () => {
    await filled()
    const copy = join(folder.path, 'copy.db')
    copyFileSync(path, copy)
    await rewrap()
    await expect(within((sql) => sqliteVault(sql, newKey, false), copy)).rejects.toThrow(WrongMasterKey)
    await expect(within((sql) => sqliteVault(sql, oldKey, false), copy)).resolves.toBeDefined()
  })
})
