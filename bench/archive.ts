import { execFileSync } from 'node:child_process'
import { mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { noEvents } from '@quittance/event-store'
import { archiveLog, type SqliteEventStore, sqliteEventStore, verify } from '@quittance/event-store/sqlite'
import { type Benchmark, median } from './report.ts'
import { saleOf } from './sales.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const rounds = 3
const streamsRead = 2_000

const open = (path: string): SqliteEventStore => sqliteEventStore({ path, clock: Date.now, projections: [] })

const perSecond = async (work: () => Promise<number>): Promise<number> => {
  const startedAt = performance.now()
  const count = await work()
  return Math.round((count * 1_000) / (performance.now() - startedAt))
}

/** The rates of one log; those of both logs are measured in turn. */
type Rates = {
  readonly all: number[]
  readonly streams: number[]
  readonly verified: number[]
  readonly appends: number[]
}

const measure = async (path: string, sales: number, round: number, rates: Rates): Promise<void> => {
  const store = open(path)
  const names = Array.from({ length: streamsRead }, (_, n) => saleOf((n * 7_919) % sales)[0]?.stream ?? '')
  rates.all.push(
    await perSecond(async () => {
      let events = 0
      for await (const _ of store.readAll(0n)) events += 1
      return events
    }),
  )
  rates.streams.push(
    await perSecond(async () => {
      for (const name of names) {
        const slice = await store.readStream(name)()
        if (slice._tag === 'Left' || slice.right.events.length === 0) throw new Error(`${name} was not read`)
      }
      return names.length
    }),
  )
  rates.appends.push(
    await perSecond(async () => {
      const fresh = Array.from({ length: 500 }, (_, n) => saleOf(sales * (round + 2) + n)).flat()
      await Promise.all(fresh.map(({ stream, events }) => store.append(stream, noEvents, events)()))
      return fresh.length
    }),
  )
  store.close()
  rates.verified.push(
    await perSecond(async () => {
      const { ok, events } = await verify(path)
      if (!ok) throw new Error(`${path} does not verify`)
      return events
    }),
  )
}

/**
 * The sizes of a log of paid sales before and after all but its last event are archived, and what reading and appending
 * cost then. `--sales <number>`: 20,000 unless given.
 */
export const archive: Benchmark = (flags) =>
  inTemporaryFolder(async (folder) => {
    const sales = Number(flags[flags.indexOf('--sales') + 1] ?? Number.NaN) || 20_000
    const program = fileURLToPath(new URL('./write-sales.ts', import.meta.url))
    const paths = [join(folder, 'live', 'log.db'), join(folder, 'archived', 'log.db')] as const
    for (const path of paths) {
      mkdirSync(dirname(path))
      execFileSync(process.execPath, [program, path, String(sales)], { stdio: 'inherit' })
    }
    const [live, archived] = paths
    const bytesBefore = statSync(archived).size
    const startedAt = performance.now()
    const done = await archiveLog({ path: archived, before: Number.POSITIVE_INFINITY, clock: Date.now })
    const seconds = (performance.now() - startedAt) / 1_000
    if (done === null) throw new Error('the log is archived by another process')
    const events = done.sealed.reduce((sum, { first, last }) => sum + last - first + 1, 0)
    const rates = [live, archived].map((path) => ({ path, all: [], streams: [], verified: [], appends: [] }))
    const bytesAfter = statSync(archived).size
    for (let round = 0; round < rounds; round += 1)
      for (const each of rates) await measure(each.path, sales, round, each)
    const figures = rates.flatMap(({ all, streams, verified, appends }, index) => {
      const where = index === 0 ? 'live' : 'archived'
      return [
        [`events read from the whole log per second, ${where}`, median(all)],
        [`streams read per second, ${where}`, median(streams)],
        [`appends to new streams per second, many callers, ${where}`, median(appends)],
        [`events verified per second, ${where}`, median(verified)],
      ] as const
    })
    return {
      'events archived': events,
      'streams archived': 2 * sales,
      'events archived per second': Math.round(events / seconds),
      "bytes of the log's file before": bytesBefore,
      "bytes of the log's file after": bytesAfter,
      'bytes of the segments': done.segments.reduce((sum, { bytes }) => sum + bytes, 0),
      'bytes that stay for each stream': Math.round(bytesAfter / (2 * sales)),
      ...Object.fromEntries(figures.toSorted(([one], [other]) => (one < other ? -1 : 1))),
    }
  })
