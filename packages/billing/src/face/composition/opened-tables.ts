import type { Sql, SqlDatabase } from '@quittance/event-store'
import { runNow, sqlitePrograms } from '@quittance/event-store/sqlite'
import { openAllTables } from '../../stores/tables.ts'

/** A file for what is in no log, with its tables. */
export const openedTables = (database: SqlDatabase): Sql => {
  const sql = sqlitePrograms(database)
  runNow(database, openAllTables(sql.dialect))
  return sql
}
