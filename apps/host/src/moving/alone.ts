import type { SqlDatabase } from '@quittance/event-store'
import { isStoreFailure } from '@quittance/event-store/sqlite'

/**
 * Whether nobody else has the file open. SQLite lets only such a one leave the write-ahead log, and nothing stands beside
 * the file then; the next opening enters it again.
 */
export const isAlone = (database: SqlDatabase): boolean => {
  try {
    return database.prepare('PRAGMA journal_mode = DELETE').get()?.journal_mode === 'delete'
  } catch (failure) {
    if (!isStoreFailure(failure)) throw failure
    return false
  }
}
