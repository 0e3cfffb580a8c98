import Database from 'better-sqlite3'
import { isLocked } from './failures.ts'
import { keepToOwner } from './keep-to-owner.ts'
import { assertNodeRunsSqlite } from './node-version.ts'

/**
 * Takes the lock of a file and answers its release; null where it is taken. The lock ends with its process in any case.
 * The empty file stays, since removing it could let two processes take the lock.
 * Errors: throws the driver's `SqliteError` where the file cannot be opened.
 */
export const lockFile = (path: string): (() => void) | null => {
  assertNodeRunsSqlite()
  keepToOwner(path)
  const database = new Database(path, { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
    return () => void database.close()
  } catch (error) {
    database.close()
    if (isLocked(error)) return null
    throw error
  }
}
