import { Buffer } from 'node:buffer'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RecordedEvent } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import { publicEventWriter } from '../public-events/write-public-events.ts'
import { rowWriters } from '../read-models.ts'
import { createIndexed, type StoredRow, tableName } from '../table-rows.ts'
import { applierOf } from '../write-rows.ts'
import { type Compared, comparer, type Difference, differencesIn } from './compare.ts'

/** What the rows of one read model are in two places; `differences` are the first of those that differ, at most 20. */
export type ComparedModel = {
  readonly model: string
  readonly version: number
  readonly rows: number
  readonly differing: number
  readonly differences: ReadonlyArray<Difference>
}

/** Reads the live tables of read models in another database. */
export type LiveRows = {
  /** The next ids after one, in the order of their bytes. */
  readonly idsAfter: (table: string, after: string, most: number) => Promise<ReadonlyArray<string>>
  /** The rows after an id, up to another one. */
  readonly between: (table: string, after: string, last: string) => Promise<ReadonlyArray<StoredRow>>
}

/** A log, folded to the rows of its read models apart from the live ones. */
export type FoldApart = {
  /** Takes the log's next events. */
  readonly apply: (events: ReadonlyArray<RecordedEvent>) => void
  /** Compares all rows with the live tables of the same log in another file, in turns with the process's other work. */
  readonly compareWith: (path: string) => Promise<ReadonlyArray<ComparedModel>>
  /** As `compareWith`, for live tables of another database. */
  readonly compareWithRows: (live: LiveRows) => Promise<ReadonlyArray<ComparedModel>>
}

const mostDifferences = 20
const rowsAtOnce = 1_000

/** Folds a log into tables of a database that holds nothing else, to compare them with those of a live file. */
export const foldApart = (scratch: SqlDatabase): FoldApart => {
  const open = rowWriters.map((writer) => {
    const table = tableName(writer)
    // Nobody lists these rows: the other indexes would cost more than the rows.
    createIndexed(scratch, table, writer.name === publicEventWriter.name ? ['listed'] : [])
    return { name: writer.name, version: writer.version, table, apply: applierOf(writer, scratch, table) }
  })
  return {
    apply: (events) =>
      scratch.transaction(() => {
        for (const { apply } of open) apply(events)
      }),
    compareWith: async (path) => {
      scratch.prepare('ATTACH DATABASE ? AS live').run(path)
      const models: Array<ComparedModel> = []
      for (const { name, version, table } of open) {
        const compareAfter = comparer(scratch, `live.${table}`, `main.${table}`)
        models.push({ model: name, version, ...(await compareAll(async (after) => compareAfter(after, rowsAtOnce))) })
      }
      return models
    },
    compareWithRows: async (live) => {
      const models: Array<ComparedModel> = []
      for (const { name, version, table } of open) {
        const folded = rowsOf(scratch, table)
        models.push({ model: name, version, ...(await compareAll((after) => compareRows(table, live, folded, after))) })
      }
      return models
    },
  }
}

type Found = Pick<ComparedModel, 'rows' | 'differing' | 'differences'>

/** Compares two tables from their first to their last ids, in turns with the process's other work. */
const compareAll = async (compareAfter: (after: string) => Promise<Compared>): Promise<Found> => {
  const differences: Array<Difference> = []
  let [rows, differing] = [0, 0]
  for (let after: string | null = ''; after !== null; ) {
    const stretch: Compared = await compareAfter(after)
    rows += stretch.ids
    differing += stretch.differences.length
    differences.push(...stretch.differences.slice(0, mostDifferences - differences.length))
    after = stretch.last
    await nextTurn()
  }
  return { rows, differing, differences }
}

const rowsOf = (database: SqlDatabase, table: string): LiveRows => {
  const ids = database.prepare(`SELECT id FROM ${table} WHERE id > ? ORDER BY id LIMIT ?`)
  const rows = database.prepare(`SELECT * FROM ${table} WHERE id > ? AND id <= ?`)
  return {
    idsAfter: async (_, after, most) => ids.all(after, most).map(({ id }) => String(id)),
    between: async (_, after, last) => rows.all(after, last),
  }
}

const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))

const compareRows = async (table: string, live: LiveRows, folded: LiveRows, after: string): Promise<Compared> => {
  const next = [live, folded].map((each) => each.idsAfter(table, after, rowsAtOnce))
  const ids = [...new Set((await Promise.all(next)).flat())].sort(byBytes).slice(0, rowsAtOnce)
  const last = ids.at(-1)
  if (last === undefined) return { differences: [], ids: 0, last: null }
  const [liveRows, foldedRows] = [await live.between(table, after, last), await folded.between(table, after, last)]
  const differences = differencesIn(ids, liveRows, foldedRows)
  return { differences, ids: ids.length, last: ids.length < rowsAtOnce ? null : last }
}
