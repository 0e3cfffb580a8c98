import { join } from 'node:path'
import type { NewEvent } from '@quittance/domain'
import { noEvents } from '@quittance/event-store'
import { type SqliteEventStore, sqliteEventStore } from '@quittance/event-store/sqlite'
import Database from 'better-sqlite3'
import type { Comparison } from '../comparing/comparison.ts'
import { perSecond } from '../comparing/run.ts'
import { sampleEvent } from '../sample-events.ts'

const eventsPerStream = 10

const open = (path: string): SqliteEventStore => sqliteEventStore({ path, clock: Date.now, projections: [] })

type Planned = { readonly stream: string; readonly event: NewEvent }

/** One caller's share of the work, prepared before the clock starts: streams of ten events. */
const plan = (caller: number, count: number): ReadonlyArray<Planned> =>
  Array.from({ length: count }, (_, index) => {
    const n = caller * count + index
    // Parsed from JSON, as a decoded request is: its strings are flat, unlike concatenated ones.
    const event: NewEvent = JSON.parse(JSON.stringify(sampleEvent(n)))
    const stream = `checkout-chk_${(n - (index % eventsPerStream)).toString(36).padStart(22, '0')}`
    return { stream, event }
  })

/** Appends one after another. */
const appendAll = async (store: SqliteEventStore, planned: ReadonlyArray<Planned>): Promise<void> => {
  let head = noEvents
  let previous = ''
  for (const { stream, event } of planned) {
    if (stream !== previous) head = noEvents
    previous = stream
    const appended = await store.append(stream, head, [event])()
    if (appended._tag === 'Left') throw new Error(appended.left._tag)
    head = appended.right.head
  }
}

const throughStore = async (path: string, callers: number, count: number): Promise<number> => {
  const each = Math.ceil(count / callers)
  const plans = Array.from({ length: callers }, (_, caller) => plan(caller, each))
  const store = open(path)
  const rate = await perSecond(each * callers, () => Promise.all(plans.map((planned) => appendAll(store, planned))))
  store.close()
  return rate
}

/** Inserts a store's rows, byte for byte, into a new file with the same tables. */
const plainInserts = async (from: string, path: string, rowsPerTransaction: number): Promise<number> => {
  const source = new Database(from, { readonly: true })
  const rows = source.prepare<[], unknown[]>('SELECT * FROM events ORDER BY position').raw(true).all()
  source.close()
  open(path).close()
  const target = new Database(path)
  target.pragma('synchronous = FULL')
  const insert = target.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const insertAll = target.transaction((batch: ReadonlyArray<unknown[]>) => {
    for (const row of batch) insert.run(...row)
  })
  const rate = await perSecond(rows.length, async () => {
    for (let first = 0; first < rows.length; first += rowsPerTransaction)
      insertAll.immediate(rows.slice(first, first + rowsPerTransaction))
  })
  target.close()
  return rate
}

const appends = (callers: number, count: number, missedBecause: string): Comparison => ({
  name: `appends-${callers}`,
  file: 'appends.ts',
  measures: `Durable appends of one event each by ${callers === 1 ? 'one caller' : `${callers} callers at once`} through our SQLite store, which seals each event in its stream's chain of hashes and in the log's. The peer inserts the same rows, byte for byte, into the same tables: ${callers === 1 ? 'one' : callers} a transaction, \`synchronous = FULL\` and WAL on both sides.`,
  unit: 'events per second',
  ours: 'SQLite event store',
  peer: 'plain better-sqlite3',
  packages: ['better-sqlite3'],
  aim: { _tag: 'ratio', atLeast: 0.8 },
  missedBecause,
  open: async ({ folder, amount }) => {
    let round = 0
    const path = () => join(folder, `${round}`)
    return {
      ours: () => {
        round += 1
        return throughStore(path(), callers, amount(count))
      },
      peer: () => plainInserts(path(), `${path()}-plain`, callers),
      close: async () => undefined,
    }
  },
})

export const appendsOf1 = appends(
  1,
  1_600,
  'where a sync takes 0.1 ms, as in this run, what ours does beside it shows. In a run of its own, an append took 127 to 149 µs, of which some 30 are not the insert and its commit: the canonical text, two hashes, the question whether another process has written, promises, and a turn of the event loop, in which other callers may join the commit. Where syncs took longer, it met the aim (0.8 to 0.82). To commit at once where nobody else waits would save that turn, 3 to 5 µs.',
)
export const appendsOf64 = appends(
  64,
  16_000,
  'an event costs some 13 µs beyond its insert (18 µs): the canonical text, two hashes, the stored events that an append answers, and a promise for each caller. Sealing the next group in another thread while this one commits would hide the text and the hashes, about a third of that.',
)
