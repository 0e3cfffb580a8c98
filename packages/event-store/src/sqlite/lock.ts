import Database from 'better-sqlite3'
import { sqliteCode } from './failures.ts'

/**
 * Takes the lock of a file and answers its release; null where it is taken. The lock ends with its process in any case.
 * The empty file stays, since removing it could let two processes take the lock.
 * Errors: throws the driver's `SqliteError` where the file cannot be opened.
 */
export const lockFile = (path: string): (() => void) | null => {
  const database = new Database(path, { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
    return () => void database.close()
  } catch (error) {
    database.close()
    if (sqliteCode(error)?.startsWith('SQLITE_BUSY') === true) return null
    throw error
  }
}
