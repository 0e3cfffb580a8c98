import type { SqlDatabase } from '@quittance/event-store'
import { isStoreFailure } from '@quittance/event-store/sqlite'

/**
 * Whether no other process has the file open: only then does SQLite leave the write-ahead log, which removes the files
 * beside it. The next opening enters it again.
 */
export const isAlone = (database: SqlDatabase): boolean => {
  try {
    return database.prepare('PRAGMA journal_mode = DELETE').get()?.journal_mode === 'delete'
  } catch (failure) {
    if (!isStoreFailure(failure)) throw failure
    return false
  }
}
