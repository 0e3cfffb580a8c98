import type { SqlDatabase } from '@quittance/event-store'
import { modelNames } from '@quittance/projections/rebuild'

/** The log, its read models, its tree, and the bookkeeping of all. Other tables hold what is not in the log. */
const logTables = new RegExp(
  `^(sqlite_.*|events|segments|archived_heads|inline_projections|feed_checkpoints|copied_log|copied_all|log_tree(_tiles|_positions)?|(${modelNames.join('|')})_\\d+(_rebuilt_[ab])?)$`,
)

type Table = { readonly name: string; readonly sql: string }

const tablesIn = (database: SqlDatabase): ReadonlyArray<Table> =>
  database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name, sql }) => ({ name: String(name), sql: String(sql) }))
    .filter(({ name }) => !logTables.test(name))

const indexesOf = (database: SqlDatabase, table: string): ReadonlyArray<string> =>
  database
    .prepare("SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL")
    .all(table)
    .map(({ sql }) => String(sql))

/**
 * Copies all tables that are neither the log nor derived from it (claims, ledger cursors, to-do lists) to another file,
 * in one transaction. Tables of new releases are included without a change here.
 */
export const copyUnloggedTables = (from: SqlDatabase, to: SqlDatabase): void =>
  to.transaction(() => {
    for (const { name } of tablesIn(to)) to.execute(`DROP TABLE "${name}"`)
    for (const { name, sql } of tablesIn(from)) {
      to.execute([sql, ...indexesOf(from, name)].join(';'))
      for (const row of from.prepare(`SELECT * FROM "${name}"`).all()) {
        const columns = Object.keys(row)
        to.prepare(
          `INSERT INTO "${name}" (${columns.map((column) => `"${column}"`).join(', ')})
           VALUES (${columns.map(() => '?').join(', ')})`,
        ).run(...Object.values(row))
      }
    }
  })
