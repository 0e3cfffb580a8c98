import { setTimeout as pause } from 'node:timers/promises'
import type { SqlDatabase } from '@quittance/event-store'
import { AlteredLog, logReader } from '@quittance/event-store/sqlite'
import type { RowWriter } from '../write-rows.ts'
import { comparer, type Difference } from './compare.ts'
import { eventCounter } from './count-events.ts'
import { liveTable } from './live-table.ts'
import { startShadow } from './shadow.ts'

/** How far the rebuild of one read model is: of its events, those that are applied; and the rows that are compared. */
export type Progress = { readonly done: number; readonly all: number; readonly comparedRows: number }

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

export type ModelRebuilding = {
  /** Positions a transaction, 1 to 1,000. */
  readonly batchSize: number
  /** Leaves the live table as it is. */
  readonly compareOnly: boolean
  readonly onProgress: (progress: Progress) => void
}

const mostDifferences = 20
const rowsAtOnce = 1_000

/**
 * Builds a read model's table from the log beside the live one, compares the two and puts the new one in place. Others
 * may append meanwhile: transactions are short, and the file is left to others for as long as each has taken, since who
 * waits for SQLite's lock only looks at it now and then.
 * Errors: throws `AlteredLog`, the driver's `SqliteError`, and what the fold throws. The live table is as it was then.
 */
export const rebuildModel = async (
  database: SqlDatabase,
  writer: RowWriter,
  { batchSize, compareOnly, onProgress }: ModelRebuilding,
): Promise<Rebuilt> => {
  const log = logReader(database)
  const count = eventCounter(database, writer.category)
  const live = liveTable(database, writer)
  const shadow = startShadow(database, writer, batchSize)
  let comparedRows = 0

  const inTurn = async <A>(work: () => A): Promise<A> => {
    const from = performance.now()
    const result = database.transaction(work)
    await pause(performance.now() - from)
    return result
  }
  // A live table that appears later is that of a process which builds it as well, from the first event.
  const isComparable = live.position() !== null
  /** Where the live table is, or else the end of the log. */
  const target = (): number => {
    // In this order: outside a transaction others may append between the two.
    const position = isComparable ? live.position() : null
    const end = log.end()
    if (position !== null && position > end)
      throw new AlteredLog(`${writer.name} has applied position ${position}, but the log ends at ${end}`)
    return position ?? end
  }
  const build = async (end: number): Promise<void> => {
    const all = count(end)
    while (shadow.reached().position < end) {
      const apply = shadow.next(end)
      if (apply !== null) await inTurn(apply)
      onProgress({ done: shadow.reached().events, all, comparedRows })
    }
  }
  const catchUp = (end: number): void => {
    while (shadow.reached().position < end) shadow.next(end)?.()
  }
  /** Each stretch of rows is compared in a transaction in which both tables have applied the same events. */
  const compare = async (): Promise<Pick<Rebuilt, 'compared' | 'differing' | 'differences'>> => {
    if (!isComparable) return { compared: false, differing: 0, differences: [] }
    const compareAfter = comparer(database, live.table, shadow.table)
    const differences: Array<Difference> = []
    let differing = 0
    for (let after: string | null = ''; after !== null; ) {
      const from: string = after
      const stretch = await inTurn(() => {
        catchUp(target())
        return compareAfter(from, rowsAtOnce)
      })
      differing += stretch.differences.length
      differences.push(...stretch.differences.slice(0, mostDifferences - differences.length))
      comparedRows += stretch.ids
      after = stretch.last
      const { events } = shadow.reached()
      onProgress({ done: events, all: events, comparedRows })
    }
    return { compared: true, differing, differences }
  }
  const finish = (): Pick<Rebuilt, 'events' | 'rows'> => {
    if (!compareOnly) catchUp(log.end())
    const rows = Number(database.prepare(`SELECT count(*) AS rows FROM ${shadow.table}`).get()?.rows)
    const { position, events } = shadow.reached()
    if (compareOnly) shadow.drop()
    else live.replaceBy(shadow.table, position)
    return { events, rows }
  }

  try {
    // Twice: what was appended during the first time is soon built, and little is left for the transactions to come.
    for (const _ of [1, 2]) await build(target())
    const found = await compare()
    if (!compareOnly) await build(log.end())
    const made = database.transaction(finish)
    return { model: writer.name, version: writer.version, ...made, ...found, switched: !compareOnly }
  } catch (failure) {
    dropAfterFailure(shadow.drop)
    throw failure
  }
}

/** What has failed already tells more than that its remains could not be removed; the next rebuild removes them. */
const dropAfterFailure = (drop: () => void): void => {
  try {
    drop()
  } catch {
    // The disk may be full, or the file torn.
  }
}
