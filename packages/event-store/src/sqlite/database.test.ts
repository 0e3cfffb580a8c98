import { chmodSync, statSync, writeFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { appendSomewhere, readLog } from '../conformance/sample.ts'
import { openDatabase } from './database.ts'
import { lockFile } from './lock.ts'
import { sqliteEventStore } from './store.ts'
import { temporaryFile } from './testing/process.ts'
import { whenUnlocked } from './when-unlocked.ts'

describe('a SQL statement', () => {
  const sql = openDatabase(':memory:', { durability: 'full' })
  afterAll(() => sql.close())

  it('takes its parameters wherever they stand, as the values that they are', () => {
    const values = (text: string, ...parameters: ReadonlyArray<string | number>): ReadonlyArray<unknown> =>
      sql
        .prepare(text)
        .all(...parameters)
        .map(({ value }) => value)
    const from = "SELECT value FROM json_each('[1,2,3]')"
    expect(values(`${from} WHERE value = ? ORDER BY value`, 2)).toEqual([2])
    expect(values(`${from} ORDER BY value DESC LIMIT ?`, 1)).toEqual([3])
    expect(values(`${from} WHERE (value, 1) > (?, ?) LIMIT ?`, 2, 1, 9)).toEqual([3])
    expect(values('SELECT value FROM json_each(?)', '["a","+1"]')).toEqual(['a', '+1'])
    expect(values("SELECT ? || 'b' AS value WHERE 'ab' LIKE ?", 'a', 'a%')).toEqual(['ab'])
    expect(values('SELECT typeof(?) AS value', '07')).toEqual(['text'])
  })

  it('takes question marks in texts and names for what they are', () => {
    expect(sql.prepare(`SELECT 'it''s ?' AS "a ""?", ? AS b`).all('c')).toEqual([{ 'a "?': "it's ?", b: 'c' }])
  })
})

describe('a SQL transaction', () => {
  const sql = openDatabase(':memory:', { durability: 'full' })
  sql.execute('CREATE TABLE rows (id TEXT PRIMARY KEY) STRICT')
  beforeEach(() => sql.execute('DELETE FROM rows'))
  afterAll(() => sql.close())
  const insert = (id: string) => sql.prepare('INSERT INTO rows VALUES (?)').run(id)
  const fail = (): never => {
    throw new Error('no')
  }
  const ids = (): ReadonlyArray<unknown> =>
    sql
      .prepare('SELECT id FROM rows ORDER BY id')
      .all()
      .map(({ id }) => id)

  it("a transaction returns its work's result and keeps its writes", () => {
    expect(sql.transaction(() => insert('a').changes)).toBe(1)
    expect(ids()).toEqual(['a'])
  })

  it('a transaction whose work throws writes nothing and rethrows', () => {
    expect(() =>
      sql.transaction(() => {
        insert('a')
        fail()
      }),
    ).toThrow('no')
    expect(ids()).toEqual([])
  })

  it('a nested transaction fails alone', () => {
    sql.transaction(() => {
      insert('a')
      expect(() =>
        sql.transaction(() => {
          insert('b')
          fail()
        }),
      ).toThrow('no')
      sql.transaction(() => insert('c'))
    })
    expect(ids()).toEqual(['a', 'c'])
  })

  it('reports when SQLite has rolled back the outer transaction', () => {
    expect(() =>
      sql.transaction(() => {
        insert('a')
        sql.transaction(() => sql.execute("INSERT OR ROLLBACK INTO rows VALUES ('a')"))
      }),
    ).toThrow('SQLite rolled back the whole transaction')
    expect(ids()).toEqual([])
  })
})

describe('a file that another process may lock', () => {
  const file = temporaryFile()
  const [one, other] = [1, 2].map(() => openDatabase(file.path, { durability: 'full' }))
  if (one === undefined || other === undefined) throw new Error('nothing is open')
  one.execute('CREATE TABLE rows (id TEXT PRIMARY KEY) STRICT')
  afterAll(() => {
    one.close()
    other.close()
    file.remove()
  })
  const write = (id: string) => other.transaction(() => other.prepare('INSERT INTO rows VALUES (?)').run(id).changes)

  it('does not block a process again and again for the same lock', async () => {
    await nextTurn()
    one.execute('BEGIN IMMEDIATE')
    // At a quarter of a second each, these would exceed the time of the test.
    for (let n = 0; n < 1_000; n++) expect(() => write('a')).toThrow('database is locked')
    one.execute('COMMIT')
    expect(write('a')).toBe(1)
  })

  it('waits for a lock without blocking the process, and writes once it is gone', async () => {
    one.execute('BEGIN IMMEDIATE')
    let isDone = false
    const written = whenUnlocked(() => write('b')).finally(() => {
      isDone = true
    })
    for (let turns = 0; turns < 100; turns++) await nextTurn()
    expect(isDone).toBe(false)
    one.execute('COMMIT')
    expect(await written).toBe(1)
  })

  it('appends wait for a lock, in order, and are written once it is gone', async () => {
    const store = sqliteEventStore({ path: `${file.path}-log`, clock: Date.now, projections: [] })
    const holder = openDatabase(`${file.path}-log`, { durability: 'full' })
    await nextTurn()
    holder.execute('BEGIN IMMEDIATE')
    let done = 0
    const appends = ['a', 'b', 'c'].map((id) =>
      appendSomewhere(store, `stream-${id}`, id).then(() => {
        done++
      }),
    )
    for (let turns = 0; turns < 100; turns++) await nextTurn()
    expect(done).toBe(0)
    holder.execute('COMMIT')
    await Promise.all(appends)
    expect((await readLog(store)).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    holder.close()
    store.close()
  })
})

describe('the mode of database files', () => {
  it.each([
    ['new', null],
    ['of others', 0o666],
  ])('a %s file and its log are for their owner alone', (_, before) => {
    const file = temporaryFile()
    if (before !== null) {
      writeFileSync(file.path, '')
      chmodSync(file.path, before)
    }
    const database = openDatabase(file.path, { durability: 'full' })
    database.execute('CREATE TABLE rows (id TEXT)')
    const modes = ['', '-wal', '-shm'].map((suffix) => statSync(`${file.path}${suffix}`).mode & 0o777)
    expect(modes).toEqual([0o600, 0o600, 0o600])
    database.close()
    file.remove()
  })

  it('keeps the locks of a connection when the same process opens the file again', () => {
    const file = temporaryFile()
    const release = lockFile(file.path)
    expect(lockFile(file.path)).toBeNull()
    openDatabase(`${file.path}-2`, { durability: 'full' }).close()
    expect(lockFile(file.path)).toBeNull()
    release?.()
    file.remove()
  })
})
