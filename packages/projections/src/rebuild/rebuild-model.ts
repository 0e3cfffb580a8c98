import { setTimeout as pause } from 'node:timers/promises'
import type { SqlDatabase } from '@quittance/event-store'
import { AlteredLog } from '@quittance/event-store/sqlite'
import type { RowWriter } from '../write-rows.ts'
import { comparer, type Difference } from './compare.ts'
import { liveTable, type Marks } from './live-table.ts'
import type { LogFeed } from './log-feed.ts'
import { startShadow } from './shadow.ts'

/** How far the rebuild of one read model is: of its events, those that are applied; and the rows that are compared. */
export type Progress = { readonly done: number; readonly all: number; readonly comparedRows: number }

/** What a rebuild of one read model has found and made. */
export type Rebuilt = {
  readonly model: string
  readonly version: number
  /** The model's events in the log, and the rows that they make. */
  readonly events: number
  readonly rows: number
  /** Whether there was a live table to compare with. */
  readonly compared: boolean
  /** How many rows differed; `differences` are the first of them, at most 20. */
  readonly differing: number
  readonly differences: ReadonlyArray<Difference>
  /** Whether the rebuilt table is now the live one. */
  readonly switched: boolean
}

/** What a rebuild works on: the file with the read models, where it keeps how far they are, and their log. */
export type RebuildSite = {
  readonly database: SqlDatabase
  readonly marks: Marks
  readonly feedOf: (writer: RowWriter) => LogFeed
}

export type ModelRebuilding = {
  /** Leaves the live table as it is. */
  readonly compareOnly: boolean
  readonly onProgress: (progress: Progress) => void
}

/** How many differences are listed. */
export const mostDifferences = 20
/** How many rows are compared at once. */
export const rowsAtOnce = 1_000

/**
 * Builds a read model's table from the log beside the live one, compares the two and puts the new one in place. Others
 * may append meanwhile: transactions are short, and after each the file is free for as long as it took, since a process
 * that waits for SQLite's lock only polls it now and then.
 * Errors: throws `AlteredLog`, `LogUnreadable`, the driver's `SqliteError`, and what the fold throws. The live table is
 * as it was then.
 */
export const rebuildModel = async (
  { database, marks, feedOf }: RebuildSite,
  writer: RowWriter,
  { compareOnly, onProgress }: ModelRebuilding,
): Promise<Rebuilt> => {
  const feed = feedOf(writer)
  const live = liveTable(database, writer, marks)
  const shadow = startShadow(database, writer, feed)
  let comparedRows = 0

  const inTurn = async <A>(work: () => A): Promise<A> => {
    const from = performance.now()
    const result = database.transaction(work)
    await pause(performance.now() - from)
    return result
  }
  // A live table that appears later is that of a process which builds it as well, from the first event.
  const isComparable = live.position() !== null
  /** Where the live table is, or else the end of what is within reach. */
  const target = (): bigint => (isComparable ? live.position() : null) ?? feed.reach()
  const newest = (): bigint => larger(target(), feed.reach())

  const build = async (upTo: () => bigint): Promise<void> => {
    for (let isMore = true; isMore; ) {
      isMore = (await feed.look()) === 'batch'
      const wanted = upTo()
      const end = smaller(wanted, feed.reach())
      const all = feed.all(end)
      while (shadow.reached().position < end) {
        const apply = shadow.next(end)
        if (apply !== null) await inTurn(apply)
        onProgress({ done: feed.done(shadow.reached()), all, comparedRows })
      }
      if (wanted < feed.reach()) return
    }
  }
  /** Does work in a transaction in which the shadow has applied everything up to a position. */
  const at = async <A>(position: () => bigint, work: () => A): Promise<A> => {
    for (;;) {
      const outcome = await inTurn(() => {
        const end = position()
        if (end > feed.reach()) return null
        while (shadow.reached().position < end) shadow.next(end)?.()
        return { result: work() }
      })
      if (outcome !== null) return outcome.result
      if ((await feed.look()) !== 'nothing') continue
      const [applied, end] = [live.position(), feed.reach()]
      throw new AlteredLog(`${writer.name} has applied position ${applied}, but the log ends at ${end}`)
    }
  }
  /** Each stretch of rows is compared in a transaction in which both tables have applied the same events. */
  const compare = async (): Promise<Pick<Rebuilt, 'compared' | 'differing' | 'differences'>> => {
    if (!isComparable) return { compared: false, differing: 0, differences: [] }
    const compareAfter = comparer(database, live.table, shadow.table)
    const differences: Array<Difference> = []
    let differing = 0
    for (let after: string | null = ''; after !== null; ) {
      const from: string = after
      const stretch = await at(target, () => compareAfter(from, rowsAtOnce))
      differing += stretch.differences.length
      differences.push(...stretch.differences.slice(0, mostDifferences - differences.length))
      comparedRows += stretch.ids
      after = stretch.last
      const done = feed.done(shadow.reached())
      onProgress({ done, all: done, comparedRows })
    }
    return { compared: true, differing, differences }
  }
  const finish = (): Pick<Rebuilt, 'events' | 'rows'> => {
    const rows = Number(database.prepare(`SELECT count(*) AS rows FROM ${shadow.table}`).get()?.rows)
    const reached = shadow.reached()
    if (compareOnly) shadow.drop()
    else live.replaceBy(shadow.table, reached)
    return { events: reached.events, rows }
  }

  try {
    // Twice: what was appended during the first time is soon built, and little is left for the transactions to come.
    for (const _ of [1, 2]) await build(target)
    const found = await compare()
    if (!compareOnly) await build(newest)
    const made = await at(compareOnly ? () => shadow.reached().position : newest, finish)
    return { model: writer.name, version: writer.version, ...made, ...found, switched: !compareOnly }
  } catch (failure) {
    dropAfterFailure(shadow.drop)
    throw failure
  }
}

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other)
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** Keeps the first failure: it says more than a failed clean-up, which the next rebuild repeats. */
const dropAfterFailure = (drop: () => void): void => {
  try {
    drop()
  } catch {
    // The disk may be full, or the file torn.
  }
}
