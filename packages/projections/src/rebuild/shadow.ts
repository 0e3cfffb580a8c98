import type { SqlDatabase } from '@quittance/event-store'
import { tableName } from '../table-rows.ts'
import { applierOf, type RowWriter } from '../write-rows.ts'
import type { LogFeed, Reached } from './log-feed.ts'

/** A table that is built from the log beside the live one. Its writer alone knows how far it is; it outlives no process. */
export type Shadow = {
  readonly table: string
  readonly reached: () => Reached
  /**
   * Takes the next events up to a position within reach, at most a batch, and gives what applies them, which belongs
   * into a transaction; null where none of them is the model's.
   */
  readonly next: (end: bigint) => (() => void) | null
  readonly drop: () => void
}

/**
 * Starts a shadow from the first event. What a rebuild that was killed has left behind is removed: another release may
 * have written it.
 */
export const startShadow = (database: SqlDatabase, writer: RowWriter, feed: LogFeed): Shadow => {
  const table = database.transaction(() => freshTable(database, writer))
  const apply = applierOf(writer, database, table)
  let reached: Reached = { position: 0n, events: 0, passed: 0, last: null }
  return {
    table,
    reached: () => reached,
    next: (end) => {
      const { events, position, passed, last } = feed.take(reached.position, end)
      const advance = (): void => {
        apply(events)
        reached = {
          position,
          events: reached.events + events.length,
          passed: reached.passed + passed,
          last: last ?? reached.last,
        }
      }
      if (events.length > 0) return advance
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
const freshTable = (database: SqlDatabase, writer: RowWriter): string => {
  const live = tableName(writer)
  const names = [`${live}_rebuilt_a`, `${live}_rebuilt_b`]
  for (const name of names) database.execute(`DROP TABLE IF EXISTS ${name}`)
  const named = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name GLOB ?")
  const table = names.find((name) => named.get(`${name}_*`) === undefined)
  if (table === undefined) throw new Error(`indexes of ${live} have both names that a rebuilt table could have`)
  writer.create(database, table)
  return table
}
