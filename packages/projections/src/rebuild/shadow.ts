import type { SqlDatabase } from '@quittance/event-store'
import { logReader } from '@quittance/event-store/sqlite'
import { createTable, tableName } from '../table-rows.ts'
import type { RowWriter } from '../write-rows.ts'

/** A table that is built from the log beside the live one. Its writer alone knows how far it is; it outlives no process. */
export type Shadow = {
  readonly table: string
  /** How far it is in the log, and how many of the model's events that were. */
  readonly reached: () => { readonly position: number; readonly events: number }
  /**
   * Reads the next events up to a position, at most a batch, and gives what applies them, which belongs into a
   * transaction; null where none of them is the model's.
   */
  readonly next: (end: number) => (() => void) | null
  readonly drop: () => void
}

/**
 * Starts a shadow from the first event. What a rebuild that was killed has left behind is removed: another release may
 * have written it. Batches hold `batchSize` positions, at most 1,000.
 */
export const startShadow = (database: SqlDatabase, writer: RowWriter, batchSize: number): Shadow => {
  const log = logReader(database, { streamPrefixes: [`${writer.category}-`] })
  const table = database.transaction(() => freshTable(database, tableName(writer)))
  const apply = writer.open(database, table)
  let position = 0
  let events = 0
  return {
    table,
    reached: () => ({ position, events }),
    next: (end) => {
      const batch = log.batch(position, Math.min(position + batchSize, end))
      const advance = (): void => {
        for (const event of batch.events) apply(event)
        position = batch.reached
        events += batch.events.length
      }
      if (batch.events.length > 0) return advance
      advance()
      return null
    },
    drop: () => database.execute(`DROP TABLE IF EXISTS ${table}`),
  }
}

/**
 * SQLite renames tables but not their indexes. So there are two names for shadows: the live table may have been built
 * under one of them, and its indexes are still called so.
 */
const freshTable = (database: SqlDatabase, live: string): string => {
  const names = [`${live}_rebuilt_a`, `${live}_rebuilt_b`]
  for (const name of names) database.execute(`DROP TABLE IF EXISTS ${name}`)
  const named = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?')
  const table = names.find((name) => named.get(`${name}_page`) === undefined)
  if (table === undefined) throw new Error(`indexes of ${live} have both names that a rebuilt table could have`)
  createTable(database, table)
  return table
}
