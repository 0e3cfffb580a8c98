import type { RecordedEvent } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import * as E from 'fp-ts/lib/Either.js'
import { appendAt } from '../conformance/sample.ts'
import type { InlineProjection } from '../inline-projection.ts'
import { noEvents } from '../port.ts'
import { openDatabase } from '../sqlite/database.ts'
import { verify } from '../sqlite/verify.ts'
import { copyLog } from './copy-log.ts'
import { intoSqlite } from './into-sqlite.ts'
import { intoStore } from './into-store.ts'
import { proveCopy } from './prove-copy.ts'
import { readBack } from './read-back.ts'
import {
  compare,
  complete,
  content,
  copy,
  counts,
  directions,
  fill,
  isServer,
  type LogAddress,
  logs,
  openStore,
  openTarget,
  prove,
} from './testing/logs.ts'

describe('copying a log', () => {
  let made: ReturnType<typeof logs>
  beforeEach(() => {
    made = logs()
  })
  afterEach(() => made.clear())

  const alter = (file: LogAddress, sql: string): void => {
    const database = openDatabase(file, { durability: 'full' })
    database.execute(sql)
    database.close()
  }

  it.each(directions)('copying from a %s to a %s keeps ids, metadata, hashes and order', async (from, to) => {
    const [source, target] = [await made[from](), await made[to]()]
    await fill(source, 60)
    expect((await copy(source, target)).outcome).toEqual(E.right({ events: 120, copied: 120 }))
    const isTimed = to === 'file'
    expect(await content(target, isTimed)).toEqual(await content(source, isTimed))
    if (!isServer(target)) expect(await verify(target)).toMatchObject({ ok: true, events: 120 })
    expect(await compare(source, target, 120)).toMatchObject({
      outcome: E.right({ events: 120, streams: 4, last: { stream: 'sample-2' }, problems: [] }),
    })
  })

  it.each(directions)('a copy from a %s to a %s is proven by reading it back once', async (from, to) => {
    const [source, target] = [await made[from](), await made[to]()]
    await fill(source, 6, 0, 399)
    const { outcome, reads, visited, mostPerTurn } = await prove(source, target)
    expect(outcome).toMatchObject(E.right({ events: 2_400, streams: 4, last: expect.any(Object), problems: [] }))
    expect(reads).toEqual({ source: 0, target: 2_400 })
    expect(visited.map(({ id }) => id)).toEqual((await content(source, false)).map(({ id }) => id))
    expect(mostPerTurn).toBeLessThanOrEqual(1_000)
  })

  it.each(['file', 'server'] as const)('a copy in a %s is read back while it grows, each event once', async (to) => {
    const target = await made[to]()
    await fill(target, 10)
    const visited: Array<string> = []
    const visitedBefore: Array<number> = []
    async function* growth() {
      yield
      visitedBefore.push(visited.length)
      await fill(target, 5, 10)
      yield
      visitedBefore.push(visited.length)
      await fill(target, 5, 15)
    }
    const { log, close } = await openStore(target)
    const visit = ({ id }: RecordedEvent) => void visited.push(id)
    const read = right(await readBack({ target: log, growth: growth(), visit, onProgress: () => {} })())
    await close()
    expect(read).toEqual({ _tag: 'Proven', events: 39, streams: 4, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(visitedBefore).toEqual([19, 30])
    expect(visited).toEqual((await content(target, false)).map(({ id }) => id))
  })

  it('a copy that cannot be read for a while is read back later, or is unavailable where that does not end', async () => {
    const target = await made.file()
    await fill(target, 10)
    const { log, close } = await openStore(target)
    const failing = (times: number) => ({
      readAll: async function* (after: bigint) {
        for await (const event of log.readAll(after)) {
          if (event.position === 5n && times-- > 0) throw new Error('away')
          yield event
        }
      },
    })
    async function* growth() {
      yield
    }
    const read = async (times: number) => {
      const visited: Array<bigint> = []
      const visit = ({ position }: RecordedEvent) => void visited.push(position)
      const outcome = await readBack({ target: failing(times), growth: growth(), visit, onProgress: () => {} })()
      return { outcome, visited }
    }
    const all = Array.from({ length: 19 }, (_, n) => BigInt(n + 1))
    expect(await read(1)).toMatchObject({ outcome: E.right({ _tag: 'Proven', events: 19 }), visited: all })
    expect(await read(2)).toMatchObject({
      outcome: E.left({ _tag: 'LogUnavailable', log: 'target' }),
      visited: all.slice(0, 4),
    })
    await close()
  })

  it.each([
    [
      'an altered event',
      `UPDATE events SET type = 'Altered' WHERE position = 3`,
      'its hash does not match its content',
    ],
    ['a missing end', 'DELETE FROM events WHERE position = 19', 'is missing'],
    ['a missing event', 'DELETE FROM events WHERE position = 3', 'stands where the source has revision 1 of sample-1'],
  ])('the proof of a copy names %s of it', async (_, sql, problem) => {
    const [source, target] = [await made.server(), await made.file()]
    await fill(source, 10)
    const { outcome } = await prove(source, target, () => alter(target, sql))
    const problems = right(outcome).problems
    expect(problems).toContainEqual({
      log: 'target',
      stream: expect.any(String),
      revision: expect.any(BigInt),
      problem,
    })
  })

  it('the proof of a copy names an event that is not in the source', async () => {
    const [source, target] = [await made.file(), await made.server()]
    await fill(source, 10)
    const { outcome } = await prove(source, target, () => fill(target, 1, 10))
    expect(right(outcome).problems).toEqual([
      { log: 'target', stream: 'sample-2', revision: expect.any(BigInt), problem: 'is not in the source' },
    ])
  })

  it('the proof of a copy does not hold where the copy was another one for a moment', async () => {
    const [source, target] = [await made.file(), await made.file()]
    await fill(source, 10)
    const { log, close } = await openStore(source)
    const writing = await openTarget(target)
    const copied = right(await copyLog({ source: log, target: writing.log, onProgress: () => {} })())
    let isFirst = true
    const once = {
      readAll: async function* (after: bigint) {
        const isCut = isFirst
        isFirst = false
        for await (const event of writing.log.readAll(after)) {
          if (!isCut || event.position < 19n) yield event
        }
      },
    }
    const [visit, onProgress] = [() => {}, () => {}]
    const read = right(await readBack({ target: once, growth: complete(), visit, onProgress })())
    const outcome = await proveCopy({ source: log, target: once, copied, read, onProgress })()
    expect(outcome).toMatchObject(E.left({ _tag: 'LogUnavailable', log: 'target' }))
    await writing.close()
    await close()
  })

  it.each(directions)('copying from a %s to a %s again copies only later events', async (from, to) => {
    const [source, target] = [await made[from](), await made[to]()]
    expect((await copy(source, target)).outcome).toEqual(E.right({ events: 0, copied: 0 }))
    await fill(source, 20)
    expect((await copy(source, target)).outcome).toEqual(E.right({ events: 39, copied: 39 }))
    expect((await copy(source, target)).outcome).toEqual(E.right({ events: 39, copied: 0 }))
    await fill(source, 5, 20)
    expect((await copy(source, target)).outcome).toEqual(E.right({ events: 49, copied: 10 }))
    expect(await content(target, false)).toEqual(await content(source, false))
  })

  it.each(directions)(
    'copying from a %s refuses a %s with other events, and writes nothing to it',
    async (from, to) => {
      const [source, target] = [await made[from](), await made[to]()]
      await fill(source, 10)
      const other = await openStore(target)
      const head = await appendAt(other.log, 'sample-0', noEvents, ['other'])
      const before = await content(target, true)
      expect((await copy(source, target)).outcome).toEqual(
        E.left({ _tag: 'ForeignTarget', stream: 'sample-0', revision: 0n }),
      )
      expect(await content(target, true)).toEqual(before)
      expect(head.revision).toBe(0n)
      await other.close()
    },
  )

  it.each(directions)('copying from a %s refuses a %s with more events than the source', async (from, to) => {
    const [source, target] = [await made[from](), await made[to]()]
    await fill(source, 10)
    right((await copy(source, target)).outcome)
    await fill(target, 1, 10)
    const foreign = E.left({ _tag: 'ForeignTarget', stream: 'sample-2', revision: expect.any(BigInt) })
    expect((await copy(source, target)).outcome).toEqual(foreign)
  })

  it('a copy names an altered event of the source and does not write it', async () => {
    const [source, target] = [await made.file(), await made.server()]
    await fill(source, 10)
    alter(source, `UPDATE events SET data = replace(data, '"a":4', '"a":5') WHERE id = '4-1'`)
    const problem = { log: 'source', stream: 'sample-2', revision: expect.any(BigInt) }
    const named = { ...problem, problem: 'its hash does not match its content' }
    expect((await copy(source, target)).outcome).toEqual(E.left({ _tag: 'AlteredSource', problem: named }))
    const copied = await content(target, false)
    expect(await content(source, false)).toEqual(expect.arrayContaining([...copied]))
    alter(source, `UPDATE events SET data = replace(data, '"a":5', '"a":4') WHERE id = '4-1'`)
    expect((await copy(source, target)).outcome).toMatchObject(E.right({ events: 19 }))
  })

  it('comparison names where a copy differs from its source', async () => {
    const [source, target] = [await made.server(), await made.file()]
    await fill(source, 10)
    right((await copy(source, target)).outcome)
    const differing = async (sql: string) => {
      alter(target, sql)
      const { outcome } = await compare(source, target, 19)
      return right(outcome).problems
    }
    const at = (stream: string, revision: bigint, problem: string) => ({ log: 'target', stream, revision, problem })
    expect(await differing(`UPDATE events SET type = 'Altered' WHERE position = 3`)).toEqual([
      at('sample-1', 1n, 'its hash does not match its content'),
    ])
    expect(await differing(`UPDATE events SET type = 'SampleTaken' WHERE position = 3`)).toEqual([])
    expect(await differing('DELETE FROM events WHERE position = 19')).toEqual([
      { log: 'target', stream: 'sample-4', revision: expect.any(BigInt), problem: 'is missing' },
    ])
  })

  it.each(directions)(
    'comparing a %s with a %s leaves other work a turn after at most a thousand events',
    async (from, to) => {
      const [source, target] = [await made[from](), await made[to]()]
      await fill(source, 6, 0, 399)
      right((await copy(source, target)).outcome)
      const { outcome, mostPerTurn } = await compare(source, target, 2_400)
      expect(outcome).toMatchObject(E.right({ events: 2_400, problems: [] }))
      expect(mostPerTurn).toBeLessThanOrEqual(1_000)
    },
  )

  it('a copy to a file writes the projections with its events, each once, whatever it finds of them', async () => {
    const [source, target] = [await made.file(), await made.file()]
    const listing: InlineProjection = {
      name: 'listing',
      version: 1,
      create: (sql) => sql.execute('CREATE TABLE IF NOT EXISTS listing (position INTEGER, id TEXT) STRICT'),
      prepare: (sql) => {
        const insert = sql.prepare('INSERT INTO listing VALUES (?, ?)')
        return ({ position, id }) => void insert.run(position, id)
      },
    }
    const copyWith = async (projections: ReadonlyArray<InlineProjection>) => {
      const [reading, writing] = [await openStore(source), intoSqlite(target, projections)]
      right(await copyLog({ source: reading.log, target: writing, onProgress: () => {} })())
      writing.close()
      await reading.close()
    }
    await fill(source, 4, 0, 299)
    await copyWith([])
    await fill(source, 4, 4, 299)
    await copyWith([listing])
    await fill(source, 4, 8, 299)
    await copyWith([listing])
    const database = openDatabase(target, { durability: 'full' })
    const listed = database.prepare('SELECT position, id FROM listing ORDER BY rowid').all()
    const marks = database.prepare('SELECT name, version, position FROM inline_projections').all()
    database.close()
    const events = await content(source, false)
    expect(listed).toEqual(events.map(({ id }, index) => ({ position: index + 1, id })))
    expect(marks).toEqual([{ name: 'listing', version: 1, position: events.length }])
  })

  it('refuses a file that another process writes meanwhile', async () => {
    const [source, target] = [await made.file(), await made.file()]
    await fill(source, 10, 0, 119)
    const [reading, writing, other] = [await openStore(source), await openTarget(target), await openStore(target)]
    let isFirst = true
    const outcome = await copyLog({
      source: {
        readAll: async function* (after) {
          for await (const event of reading.log.readAll(after)) {
            yield event
            if (isFirst) await appendAt(other.log, 'other-1', noEvents, ['other'])
            isFirst = false
          }
        },
      },
      target: writing.log,
      onProgress: () => {},
    })()
    expect(outcome).toEqual(E.left({ _tag: 'TargetChanged' }))
    for (const { close } of [reading, writing, other]) await close()
  })

  it.each([
    { _tag: 'losesReplies' },
    { _tag: 'endsCleanly', afterEvents: 0 },
    { _tag: 'fails' },
    { _tag: 'unavailable' },
  ] as const)(
    'goes on behind what a server has written that $_tag, and writes nothing twice',
    async (fault) => {
      const [source, target] = [await made.file(), await made.server()]
      await fill(source, 400)
      const peer = made.peer(target)
      const copying = copy(source, target)
      // A server that falls silent costs a deadline each time.
      for (const appends of fault._tag === 'endsCleanly' ? [100] : [5, 100, 250]) {
        while ((peer?.appendsSeen() ?? 0) < appends) await new Promise((resolve) => setImmediate(resolve))
        const seen = peer?.appendsSeen() ?? 0
        peer?.misbehave(fault)
        while ((peer?.appendsSeen() ?? 0) <= seen) await new Promise((resolve) => setImmediate(resolve))
        peer?.misbehave({ _tag: 'none' })
      }
      expect((await copying).outcome).toEqual(E.right({ events: 799, copied: 799 }))
      expect(await content(target, false)).toEqual(await content(source, false))
    },
    60_000,
  )

  it.each([{ _tag: 'overtakes' }, { _tag: 'refusesStream', stream: 'sample-2' }] as const)(
    'ends where a server that $_tag has written a later event before an earlier one',
    async (fault) => {
      const [source, target] = [await made.file(), await made.server()]
      await fill(source, 60)
      made.peer(target)?.misbehave(fault)
      const lost = { _tag: 'OrderLost', stream: expect.any(String), revision: expect.any(BigInt) }
      expect((await copy(source, target)).outcome).toEqual(E.left(lost))
    },
  )

  it('into any event store resends an append whose outcome is unknown', async () => {
    const [source, target] = [await made.file(), await made.server()]
    await fill(source, 12)
    const peer = made.peer(target)
    const [reading, writing] = [await openStore(source), await openStore(target)]
    peer?.misbehave({ _tag: 'losesReplies' })
    const copying = copyLog({ source: reading.log, target: intoStore(writing.log), onProgress: () => {} })()
    while ((peer?.appendsSeen() ?? 0) === 0) await new Promise((resolve) => setImmediate(resolve))
    peer?.misbehave({ _tag: 'none' })
    expect(E.map(counts)(await copying)).toEqual(E.right({ events: 24, copied: 24 }))
    for (const { close } of [reading, writing]) await close()
    expect(await content(target, false)).toEqual(await content(source, false))
  })

  it('names the log that cannot be read or written', async () => {
    const [source, target] = [await made.file(), await made.server()]
    await fill(source, 10)
    made.peer(target)?.misbehave({ _tag: 'unavailable' })
    expect((await copy(source, target)).outcome).toMatchObject(E.left({ _tag: 'LogUnavailable', log: 'target' }))
    made.peer(target)?.misbehave({ _tag: 'none' })
    alter(source, "UPDATE events SET data = '{' WHERE position = 3")
    expect((await copy(source, target)).outcome).toMatchObject(E.left({ _tag: 'LogUnavailable', log: 'source' }))
  }, 20_000)
})
