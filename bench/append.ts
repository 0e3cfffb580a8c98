import { join } from 'node:path'
import type { NewEvent } from '@quittance/domain'
import { noEvents } from '@quittance/event-store'
import { type SqliteEventStore, sqliteEventStore } from '@quittance/event-store/sqlite'
import Database from 'better-sqlite3'
import { type Benchmark, median } from './report.ts'
import { sampleEvent } from './sample-events.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const rounds = 7
const eventsPerStream = 10
const eventsPerRound = (callers: number): number => (callers === 1 ? 1_500 : 20_000)

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

/** Appends through the store; returns events per second. */
const throughStore = async (path: string, callers: number): Promise<number> => {
  const each = Math.ceil(eventsPerRound(callers) / callers)
  const plans = Array.from({ length: callers }, (_, caller) => plan(caller, each))
  const store = open(path)
  const startedAt = performance.now()
  await Promise.all(plans.map((planned) => appendAll(store, planned)))
  const seconds = (performance.now() - startedAt) / 1_000
  store.close()
  return (each * callers) / seconds
}

/** Inserts a store's rows, byte for byte, into a new file with the same tables; returns rows per second. */
const plainInserts = (from: string, path: string, rowsPerTransaction: number): number => {
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
  const startedAt = performance.now()
  for (let first = 0; first < rows.length; first += rowsPerTransaction) {
    insertAll.immediate(rows.slice(first, first + rowsPerTransaction))
  }
  const seconds = (performance.now() - startedAt) / 1_000
  target.close()
  return rows.length / seconds
}

/**
 * Durable appends per second through the store, beside plain inserts of the same rows with the driver: the same bytes,
 * tables and durability, and one transaction for as many rows as there are callers. Rounds alternate; a ratio is the
 * median over the rounds.
 */
export const append: Benchmark = () =>
  inTemporaryFolder(async (folder) => {
    const report: Record<string, number> = {}
    for (const callers of [1, 64, 256]) {
      const pairs: { readonly store: number; readonly plain: number }[] = []
      for (let round = 0; round < rounds; round += 1) {
        const path = join(folder, `${callers}-${round}`)
        const store = await throughStore(path, callers)
        pairs.push({ store, plain: plainInserts(path, `${path}-plain`, callers) })
      }
      report[`appends per second, ${callers} callers`] = Math.round(median(pairs.map(({ store }) => store)))
      report[`plain inserts per second, ${callers} a transaction`] = Math.round(median(pairs.map(({ plain }) => plain)))
      report[`ratio in percent, ${callers} callers`] = 100 * median(pairs.map(({ store, plain }) => store / plain))
    }
    return report
  })
