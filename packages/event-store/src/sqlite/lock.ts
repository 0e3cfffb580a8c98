import Database from 'better-sqlite3'
import { sqliteCode } from './failures.ts'

/**
 * Takes the lock that a file stands for, and gives what releases it; null where somebody else holds it. It ends with its
 * process, however that ends. The file is empty and stays: removing it could let two take the lock.
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
