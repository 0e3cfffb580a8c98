import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { madeKey } from '../../testing/made-key.ts'
import { present } from '../../testing/outcomes.ts'
import { temporaryFolder } from '../../testing/platform.ts'
import { rewrapVault } from './rewrap-vault.ts'
import { sqliteVault, WrongMasterKey } from './sqlite-vault.ts'

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
  const within = <A>(work: (sql: ReturnType<typeof open>) => A, file = path): A => {
    const sql = open(file)
    try {
      return work(sql)
    } finally {
      sql.close()
    }
  }
  const filled = () =>
    within((sql) => {
      const vault = sqliteVault(sql, oldKey, true)
      const sealed = subjects.map((subject) => present(O.toNullable(vault.seal(subject, { subject }))))
      vault.erase('cus_7')
      return {
        sealed,
        key: madeKey(vault, 'settlement/testnet/a'),
        seed: vault.carriage.withSeed('settlement/testnet/a', hexOf),
        hash: vault.keyedHash('email', 'a'),
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

  it('keeps every key under the new master key alone', () => {
    const { sealed, seed, hash } = filled()
    expect(rewrap()).toEqual(E.right(subjects.length + 1))
    expect(() => within((sql) => sqliteVault(sql, oldKey, false))).toThrow(WrongMasterKey)
    within((sql) => {
      const vault = sqliteVault(sql, newKey, false)
      const opened = subjects.map((subject, at) => vault.unseal(subject, present(sealed[at])))
      expect(opened).toEqual(subjects.map((subject) => (subject === 'cus_7' ? O.none : O.some({ subject }))))
      expect([vault.carriage.withSeed('settlement/testnet/a', hexOf), vault.keyedHash('email', 'a')]).toEqual([
        seed,
        hash,
      ])
      expect(vault.seal('cus_7', {})).toEqual(O.none)
    })
  })

  it('leaves no byte in the files that the old master key opens', () => {
    filled()
    const before = wrapped()
    const found = () => {
      const files = readdirSync(folder.path).map((name) => readFileSync(join(folder.path, name)))
      return before.filter((box) => files.some((bytes) => bytes.includes(box))).length
    }
    expect(found()).toBe(subjects.length + 1)
    rewrap()
    expect(found()).toBe(0)
  })

  it('wraps nothing a second time', () => {
    filled()
    rewrap()
    const after = wrapped()
    expect([rewrap(), rewrap(newKey, newKey), rewrap(otherKey, newKey)]).toEqual([E.right(0), E.right(0), E.right(0)])
    expect(wrapped()).toEqual(after)
  })

  it('changes nothing under another master key, and in an empty file', () => {
    expect(rewrap()).toEqual(E.left({ _tag: 'VaultEmpty' }))
    filled()
    const before = wrapped()
    expect(rewrap(otherKey)).toEqual(E.left({ _tag: 'WrongMasterKey' }))
    expect(wrapped()).toEqual(before)
  })

  it('changes nothing while another connection has the vault open, even one that only reads', () => {
    filled()
    const before = wrapped()
    for (const readOnly of [false, true]) {
      const other = openDatabase(path, { durability: 'full', readOnly })
      other.prepare('SELECT count(*) FROM vault').get()
      expect(rewrap()).toEqual(E.left({ _tag: 'VaultInUse' }))
      other.close()
    }
    expect(wrapped()).toEqual(before)
  }, 30_000)

  it('lets nobody open the vault until it is closed', () => {
    filled()
    within((sql) => {
      expect(rewrapVault(sql, oldKey, newKey)).toMatchObject({ _tag: 'Right' })
      expect(() => open()).toThrow('database is locked')
    })
    expect(() => within((sql) => sqliteVault(sql, newKey, false))).not.toThrow()
  }, 30_000)

  it('leaves a copy from before to the old master key', () => {
    filled()
    const copy = join(folder.path, 'copy.db')
    copyFileSync(path, copy)
    rewrap()
    expect(() => within((sql) => sqliteVault(sql, newKey, false), copy)).toThrow(WrongMasterKey)
    expect(() => within((sql) => sqliteVault(sql, oldKey, false), copy)).not.toThrow()
  })
})
