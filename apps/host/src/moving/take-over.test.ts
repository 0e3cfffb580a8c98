import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { SqlDatabase } from '@quittance/event-store'
import { openDatabase } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import { dataFiles } from '../data-dir.ts'
import { copiedEnd, copyPathOf, markCopied } from './copied-log.ts'
import { type Finishing, finishCopy, holdsAnother } from './finish-copy.ts'
import { takeOver } from './take-over.ts'
import { unfinishedCopy } from './unfinished-copy.ts'

describe('the first start of a service on another kind of log', () => {
  let folder: string
  let [events, readModels] = ['', '']
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quittance-moving-'))
    events = join(folder, 'quittance.db')
    readModels = join(folder, 'read-models.db')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const inFile = <A>(path: string, work: (database: SqlDatabase) => A): A => {
    const database = openDatabase(path, { durability: 'full' })
    try {
      return work(database)
    } finally {
      database.close()
    }
  }
  const execute = (path: string, sql: string): void => inFile(path, (database) => database.execute(sql))
  const rows = (path: string, table: string) =>
    inFile(path, (database) => database.prepare(`SELECT * FROM ${table} ORDER BY 1`).all())
  const end = { events: 1, hash: 'h' }
  const writeLog = (): void =>
    execute(
      events,
      `CREATE TABLE events (position INTEGER PRIMARY KEY, hash TEXT); INSERT INTO events VALUES (1, 'h');
       CREATE TABLE payments_1 (id TEXT); INSERT INTO payments_1 VALUES ('of the log');
       CREATE TABLE claims (key TEXT, box BLOB, at INTEGER); CREATE INDEX claims_at ON claims (at);
       INSERT INTO claims VALUES ('a', x'00ff', 9007199254740991), ('b', NULL, 2)`,
    )
  const finishing = (how: Pick<Finishing, 'copy' | 'place'> & Partial<Finishing>) =>
    finishCopy({ source: events, end, isStillEnd: async () => true, bringKeys: () => {}, ...how })
  const copied = async (): Promise<void> => {
    execute(copyPathOf(readModels), "CREATE TABLE payments_1 (id TEXT); INSERT INTO payments_1 VALUES ('of the copy')")
    expect(await finishing({ copy: copyPathOf(readModels), place: null })).toEqual(E.right(undefined))
  }

  it('copies the tables outside the log at the first start on another log, and keeps the old file under another name', async () => {
    writeLog()
    await copied()
    execute(
      events,
      "DELETE FROM claims WHERE key = 'a'; INSERT INTO claims VALUES ('c', NULL, 3); CREATE TABLE more (n)",
    )
    expect(takeOver(events, readModels)).toEqual(E.right(undefined))
    expect(rows(readModels, 'claims')).toEqual([
      { key: 'b', box: null, at: 2 },
      { key: 'c', box: null, at: 3 },
    ])
    expect(rows(readModels, 'more')).toEqual([])
    expect(rows(readModels, 'payments_1')).toEqual([{ id: 'of the copy' }])
    expect(rows(readModels, "sqlite_schema WHERE name = 'claims_at'")).toHaveLength(1)
    expect(readdirSync(folder).sort()).toEqual(['quittance.db.moved-1', 'read-models.db'])
    expect(rows(`${events}.moved-1`, 'events')).toHaveLength(1)
  })

  it('copies every value to the new place unchanged', async () => {
    writeLog()
    await copied()
    expect(takeOver(events, readModels)).toEqual(E.right(undefined))
    expect(rows(readModels, 'claims')).toEqual(rows(`${events}.moved-1`, 'claims'))
  })

  const unchanged = (failure: string): void => {
    const before = readdirSync(folder).sort()
    expect(takeOver(events, readModels)).toEqual(E.left(failure))
    expect(existsSync(events)).toBe(true)
    expect(readdirSync(folder).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(
      before.filter((name) => !/-(wal|shm)$/.test(name)),
    )
  }

  it('refuses to start on another log without a complete copy', () => {
    writeLog()
    unchanged('NoCopy')
    execute(copyPathOf(readModels), 'CREATE TABLE payments_1 (id TEXT)')
    unchanged('NoCopy')
  })

  it('refuses to start on another log when the log has grown since the copy', async () => {
    writeLog()
    await copied()
    execute(events, "INSERT INTO events VALUES (2, 'i')")
    unchanged('CopyOutdated')
  })

  it('refuses to start on another log while another process has the old file open', async () => {
    writeLog()
    await copied()
    inFile(events, (other) => {
      other.prepare('SELECT * FROM claims').all()
      unchanged('StillInUse')
    })
    expect(takeOver(events, readModels)).toEqual(E.right(undefined))
  }, 20_000)

  it('resumes a move after a kill between moving the copy and removing the old file', async () => {
    writeLog()
    await copied()
    expect(takeOver(events, readModels)).toEqual(E.right(undefined))
    writeLog()
    expect(takeOver(events, readModels)).toEqual(E.right(undefined))
    expect(existsSync(events)).toBe(false)
    expect(rows(readModels, 'claims')).toHaveLength(2)
  })

  it.each([
    ['behind the copy', 0, 'x', E.right(undefined)],
    ['at its end', 1, 'h', E.right(undefined)],
    ['at another event', 1, 'x', E.left('CopyOutdated')],
    ['past its end', 2, 'i', E.left('CopyOutdated')],
  ])('checks a move from a server to a file with read models that are %s', (_, applied, hash, outcome) => {
    execute(
      readModels,
      `CREATE TABLE feed_checkpoints (stream TEXT, revision INTEGER, hash TEXT, position TEXT, events INTEGER);
       INSERT INTO feed_checkpoints VALUES ('s', 0, '${hash}', '7', ${applied})`,
    )
    inFile(copyPathOf(events), (database) => markCopied(database, end, 'log'))
    expect(takeOver(readModels, events)).toEqual(outcome)
  })

  it('leaves what is in no log as a copy from elsewhere has brought it', async () => {
    execute(readModels, "CREATE TABLE claims (key TEXT); INSERT INTO claims VALUES ('of the old file')")
    const copy = copyPathOf(events)
    execute(copy, "CREATE TABLE claims (key TEXT); INSERT INTO claims VALUES ('of the copy')")
    inFile(copy, (database) => markCopied(database, end, 'all'))
    expect(takeOver(readModels, events)).toEqual(E.right(undefined))
    expect(rows(events, 'claims')).toEqual([{ key: 'of the copy' }])
    inFile(events, (database) => markCopied(database, end, 'log'))
    execute(readModels, "CREATE TABLE claims (key TEXT); INSERT INTO claims VALUES ('newer')")
    expect(takeOver(readModels, events)).toEqual(E.right(undefined))
    expect(rows(events, 'claims')).toEqual([{ key: 'newer' }])
  })

  it('begins no log where a copy has brought keys or is complete, and is not in place yet', () => {
    const files = dataFiles(folder)
    const problem = (copy: string) =>
      E.left([{ variable: 'QUITTANCE_DATA_DIR', expected: expect.stringContaining(copy) }])
    expect(unfinishedCopy(files)).toEqual(E.right(undefined))
    for (const place of [events, readModels]) {
      const copy = copyPathOf(place)
      execute(copy, 'CREATE TABLE claims (key TEXT)')
      expect(unfinishedCopy(files)).toEqual(E.right(undefined))
      execute(files.vault, 'CREATE TABLE vault (name TEXT)')
      expect(unfinishedCopy(files)).toEqual(problem(basename(copy)))
      rmSync(files.vault)
      inFile(copy, (database) => markCopied(database, end, 'log'))
      expect(unfinishedCopy(files)).toEqual(problem(basename(copy)))
      execute(place, 'CREATE TABLE claims (key TEXT)')
      expect(unfinishedCopy(files)).toEqual(E.right(undefined))
      for (const path of [copy, place]) rmSync(path)
    }
  })

  it('moves no copy when the log has grown since, because its cursor would skip payments', async () => {
    writeLog()
    const [copy, place] = [copyPathOf(readModels), readModels]
    execute(copy, 'CREATE TABLE payments_1 (id TEXT)')
    const brought: Array<string> = []
    const bringKeys = () => void brought.push('keys')
    expect(await finishing({ copy, place, bringKeys, isStillEnd: async () => false })).toEqual(E.left('SourceGrew'))
    expect({ brought, isInPlace: existsSync(place), end: inFile(copy, copiedEnd) }).toEqual({
      brought: [],
      isInPlace: false,
      end: null,
    })
    // What the source's own process writes while its log is asked is not taken along.
    const isStillEnd = async () => {
      execute(events, "INSERT INTO claims VALUES ('later', NULL, 3)")
      return true
    }
    expect(await finishing({ copy, place, bringKeys, isStillEnd })).toEqual(E.right(undefined))
    expect(brought).toEqual(['keys'])
    expect(rows(place, 'claims')).toHaveLength(2)
  })

  it('copies no keys while a process has the copy open', async () => {
    writeLog()
    execute(readModels, 'CREATE TABLE payments_1 (id TEXT)')
    const bringKeys = () => {
      throw new Error('keys were brought')
    }
    await inFile(readModels, async (other) => {
      other.prepare('SELECT * FROM payments_1').all()
      expect(await finishing({ copy: readModels, place: readModels, bringKeys })).toEqual(E.left('TargetInUse'))
    })
  }, 20_000)

  it('overwrites only keys that a copy has brought', () => {
    execute(join(folder, 'vault.db'), 'CREATE TABLE vault (name TEXT)')
    expect(holdsAnother(folder, readModels)).toBe(true)
    execute(readModels, 'CREATE TABLE claims (key TEXT)')
    expect(holdsAnother(folder, readModels)).toBe(true)
    inFile(readModels, (database) => markCopied(database, end, 'log'))
    expect(holdsAnother(folder, readModels)).toBe(false)
  })
})
