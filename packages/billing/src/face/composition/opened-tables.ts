import type { Sql, SqlDatabase } from '@quittance/event-store'
import { runNow, sqlitePrograms } from '@quittance/event-store/sqlite'
import { openTables } from '../../stores/tables.ts'

/** A file for what is in no log, with its tables. */
export const openedTables = (database: SqlDatabase): Sql => {
  const sql = sqlitePrograms(database)
  runNow(database, openTables(sql.dialect))
  return sql
}
