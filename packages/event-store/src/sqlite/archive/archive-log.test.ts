import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { right } from '@quittance/domain/testing'
import { appendAt, read, readLog, sampleEvent } from '../../conformance/sample.ts'
import { noEvents } from '../../port.ts'
import { openDatabase } from '../database.ts'
import { type SqliteEventStore, sqliteEventStore } from '../store.ts'
import { temporaryFile } from '../testing/process.ts'
import { verify } from '../verify.ts'
import { type ArchivedLog, archiveLog } from './archive-log.ts'
import { compactLog } from './compact-log.ts'
import { recordSegment } from './move-events.ts'
import { sealSegment } from './seal-segment.ts'
import { readSegments, segmentFolder } from './segments.ts'

const year = (number: number): number => Date.UTC(number, 0)
const streams = ['s-0', 's-1', 's-2', 't-0', 't-1']

describe('archiving a log', () => {
  let file: ReturnType<typeof temporaryFile>
  let store: SqliteEventStore
  let now: number
  const opened: SqliteEventStore[] = []
  const open = (): SqliteEventStore => {
    const other = sqliteEventStore({ path: file.path, clock: () => now, projections: [] })
    opened.push(other)
    return other
  }
  const folder = (): string => segmentFolder(file.path)
  const archive = async (before: number, mostEvents = 1_000): Promise<ArchivedLog> => {
    const archived = await archiveLog({ path: file.path, before, clock: () => now, mostEvents })
    if (archived === null) throw new Error('another process archives')
    return archived
  }
  const names = () =>
    readdirSync(folder())
      .filter((name) => name.startsWith('events-'))
      .toSorted()
  const problems = async () => (await verify(file.path)).problems

  /** Appends so many events in turn to all streams but the last, each year. */
  const write = async (from: number, to: number, each: number): Promise<void> => {
    for (let number = from; number <= to; number += 1) {
      now = year(number) + 1
      for (const stream of streams.slice(0, -1)) {
        const { head } = await read(store, stream)
        const ids = Array.from({ length: each }, (_, n) => `${stream} ${number} ${n} ${'x'.repeat(300)}`)
        await appendAt(store, stream, head, ids)
      }
    }
  }

  beforeEach(async () => {
    file = temporaryFile()
    store = open()
    await write(2020, 2023, 25)
    await appendAt(store, 't-1', noEvents, ['last'])
  })
  afterEach(() => {
    for (const each of opened.splice(0)) each.close()
    file.remove()
  })

  it('a position is found by time in segments as in the file', async () => {
    const found = () =>
      Promise.all([2020, 2021, 2022, 2024].map(async (each) => right(await store.lastBefore(year(each))())))
    const before = await found()
    expect(before).toEqual([0n, 100n, 200n, 401n])
    await archive(year(2022))
    expect(await found()).toEqual(before)
  })

  it('each closed year becomes a segment, and the file gets smaller', async () => {
    const head = store.logHead()
    const { sealed, bytesBefore, bytesAfter, freeBytes } = await archive(year(2023))
    expect(sealed.map(({ first, last }) => [first, last])).toEqual([
      [1, 100],
      [101, 200],
      [201, 300],
    ])
    expect(names().toSorted()).toEqual(sealed.map(({ name }) => name).toSorted())
    expect(sealed.map(({ name, bytes }) => statSync(join(folder(), name)).size === bytes)).toEqual([true, true, true])
    expect(statSync(join(folder(), sealed[0]?.name ?? '')).mode & 0o777).toBe(0o400)
    expect(bytesAfter).toBeLessThan(bytesBefore / 2)
    expect(freeBytes).toBe(0)
    expect(await verify(file.path, { expected: [head, { position: 100, digest: sealed[0]?.digest ?? '' }] })).toEqual({
      ok: true,
      events: 401,
      problems: [],
      head,
    })
    expect((await archive(year(2023))).sealed).toEqual([])
  })

  it('every read of an archived log answers as before, in processes that were open and that open later', async () => {
    const reads = async (reader: SqliteEventStore) => {
      const found: unknown[] = [await readLog(reader), reader.logHead()]
      for (const stream of [...streams, 'none']) {
        for (const from of [undefined, 0n, 1n, 24n, 25n, 60n, 99n, 100n, 200n])
          for (const direction of ['forwards', 'backwards'] as const)
            found.push(await reader.readStream(stream, from, direction)())
      }
      for (const after of [0n, 49n, 50n, 99n, 100n, 399n, 400n, 401n, 500n]) {
        const events = []
        for await (const event of reader.readAll(after, { streamPrefixes: ['s-1', 't-'] })) events.push(event)
        found.push(events)
      }
      return found
    }
    const before = await reads(store)
    for (const [limit, mostEvents] of [
      [year(2021), 50],
      [year(2023), 7],
      [year(2099), 1_000],
    ] as const) {
      await archive(limit, mostEvents)
      expect(await reads(store)).toEqual(before)
      expect(await reads(open())).toEqual(before)
      expect(await problems()).toEqual([])
    }
    expect(
      openDatabase(file.path, { durability: 'full' }).prepare('SELECT count(*) AS rest FROM events').get(),
    ).toEqual({
      rest: 1,
    })
  })

  it('appends to archived streams go on at their heads, and repeats of archived events write nothing', async () => {
    const { head, events } = await read(store, 's-1')
    const at = (index: number) => ({ revision: BigInt(index), hash: events[index]?.metadata.hash ?? '' })
    const again = (from: number, to: number) => events.slice(from, to).map(({ id }) => sampleEvent(id))
    await archive(year(2099))
    for (const writer of [store, open()]) {
      expect(await writer.append('s-1', at(29), again(30, 33))()).toMatchObject({
        right: { head: at(32), events: events.slice(30, 33) },
      })
      expect(await writer.append('s-1', noEvents, [sampleEvent('other')])()).toMatchObject({
        left: { _tag: 'WrongExpectedRevision' },
      })
      expect(await writer.append('s-1', { ...at(29), hash: head.hash }, again(30, 31))()).toMatchObject({
        left: { _tag: 'StoreUnavailable' },
      })
      expect(await writer.append('s-1', at(98), again(99, 100))()).toMatchObject({ right: { head } })
    }
    const next = await appendAt(store, 's-1', head, ['next'])
    expect((await read(open(), 's-1')).head).toEqual(next)
    expect(next.revision).toBe(100n)
  })

  it('a projection that is new reads the segments', async () => {
    await archive(year(2099), 40)
    const seen: string[] = []
    const other = sqliteEventStore({
      path: file.path,
      clock: () => now,
      projections: [{ name: 'seen', version: 1, create: () => {}, prepare: () => (event) => void seen.push(event.id) }],
    })
    opened.push(other)
    expect(seen).toEqual((await readLog(store)).map(({ id }) => id))
  })

  it('the next run takes up an archiving that ended before its events left the file', async () => {
    const before = await readLog(store)
    const sql = openDatabase(file.path, { durability: 'full' })
    mkdirSync(folder())
    const segment = await sealSegment(sql, folder(), { first: 1, last: 120, digestBefore: '0'.repeat(64) })
    expect(await readLog(store)).toEqual(before)
    recordSegment(sql, segment, 1)
    expect(await readLog(store)).toEqual(before)
    expect(await problems()).toEqual([])
    expect((await archive(0)).segments).toEqual([segment])
    expect(await readLog(open())).toEqual(before)
    expect(await problems()).toEqual([])
    expect(sql.prepare('SELECT min(position) AS first FROM events').get()).toEqual({ first: 121 })
    sql.close()
  })
  it('an altered event is not archived', async () => {
    store.writer.execute(`UPDATE events SET data = '{"note":"other"}' WHERE position = 150`)
    await expect(archive(year(2023))).rejects.toThrow('Event 49 of s-1 is not as it was written')
    expect(names().length).toBe(1)
    expect((await readLog(store)).length).toBe(401)
  })

  it('a file of an earlier release gets the tables of the archive, and is compacted once', async () => {
    for (const each of opened.splice(0)) each.close()
    const sql = openDatabase(file.path, { durability: 'full' })
    sql.execute(
      'DROP TABLE segments; DROP TABLE archived_heads; PRAGMA user_version = 1; PRAGMA auto_vacuum = NONE; VACUUM',
    )
    sql.close()
    expect((await verify(file.path)).problems).toEqual([])
    const { bytesBefore, bytesAfter, freeBytes } = await archive(year(2023))
    expect(bytesAfter).toBeGreaterThanOrEqual(bytesBefore)
    expect(freeBytes).toBeGreaterThan(bytesBefore / 2)
    store = open()
    await appendAt(store, 'new', noEvents, ['a'])
    expect(compactLog(file.path)).toBe(null)
    for (const each of opened.splice(0)) each.close()
    expect(compactLog(file.path)?.bytesAfter).toBeLessThan(bytesBefore / 2)
    expect(await verify(file.path)).toMatchObject({ ok: true, events: 402 })
  })

  describe('verification and opening', () => {
    let paths: ReadonlyArray<string>
    beforeEach(async () => {
      const { sealed } = await archive(year(2023))
      for (const each of opened.splice(0)) each.close()
      paths = sealed.map(({ name }) => join(folder(), name))
    })
    const path = (index: number): string => paths[index] ?? ''
    const nameOf = (index: number): string => path(index).slice(folder().length + 1)
    const told = async () => (await problems()).map(({ stream, problem }) => `${stream ?? 'log'}: ${problem}`)

    it('a missing segment is named, and the service does not open', async () => {
      rmSync(path(1))
      const missing = `the segment ${nameOf(1)} with the positions 101 to 200 is missing in ${folder()}`
      expect(await told()).toEqual([
        `log: ${missing}`,
        `log: the segment ${nameOf(1)} holds 0 of the positions 101 to 200`,
      ])
      expect(open).toThrow(`${missing}; put the file back from a backup`)
    })

    it('a truncated segment is named, and the service does not open', async () => {
      truncateSync(path(0), 8_192)
      expect((await told())[0]).toMatch(
        `the segment ${nameOf(0)} with the positions 1 to 100 has 8192 bytes instead of`,
      )
      expect(open).toThrow('has 8192 bytes instead of')
    })

    it('swapped segments are named', async () => {
      const third = `${path(2)}.third`
      renameSync(path(0), third)
      renameSync(path(1), path(0))
      renameSync(third, path(1))
      const found = await told()
      expect(found.some((each) => each.startsWith(`log: the segment ${nameOf(0)}`))).toBe(true)
      expect(found.some((each) => each.startsWith(`log: the segment ${nameOf(1)}`))).toBe(true)
    })

    it('an altered byte of a segment is found, with the event', async () => {
      const bytes = readFileSync(path(1))
      const at = bytes.indexOf('s-2 2021 3')
      bytes.write('s-2 2021 4', at)
      rmSync(path(1))
      writeFileSync(path(1), bytes)
      const found = await told()
      expect(found[0]).toMatch(`log: the segment ${nameOf(1)} is altered: its SHA-256 is `)
      expect(found.some((each) => each === 's-2: its hash does not match its content')).toBe(true)
    })

    it('a segment that was rewritten with valid chains is found by the digest of the log', async () => {
      const sql = openDatabase(file.path, { durability: 'full' })
      const [first] = readSegments(sql)
      sql.prepare('UPDATE segments SET digest = ? WHERE first_position = 1').run('a'.repeat(64))
      sql.close()
      expect(await told()).toEqual([`log: the segment ${first?.name} ends at another digest than recorded`])
    })

    it('an altered archived head is found', async () => {
      const sql = openDatabase(file.path, { durability: 'full' })
      sql.execute(`DELETE FROM archived_heads WHERE stream = 's-0'; INSERT INTO archived_heads VALUES ('u-1', 3, 'a', 7);
        UPDATE archived_heads SET revision = 70 WHERE stream = 's-1'; UPDATE archived_heads SET hash = 'b' WHERE stream = 's-2'`)
      sql.close()
      const head = "is not the archived head in the log's file"
      expect((await told()).toSorted()).toEqual([
        "log: the log's file has an archived head of u-1, which has no events",
        `s-0: ${head}`,
        `s-1: ${head}`,
        `s-2: ${head}`,
      ])
    })

    it('segments that the log does not name are left alone', async () => {
      copyFileSync(path(0), join(folder(), 'events-1-90-0000000000000000.db'))
      expect(await told()).toEqual([])
      store = open()
      await archive(year(2024))
      expect(names().length).toBe(5)
    })
  })
})
