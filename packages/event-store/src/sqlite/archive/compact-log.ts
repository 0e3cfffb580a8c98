import { statSync } from 'node:fs'
import { openDatabase } from '../database.ts'
import { isLocked } from '../failures.ts'

/**
 * Rewrites a log's file without its unused pages, so that from then on archiving gives them back by itself. Answers the
 * bytes before and after, or null where another process has the file open. May be killed at any point.
 * Errors: throws the disk's errors, such as without room for a second copy of the file.
 */
export const compactLog = (path: string): { readonly bytesBefore: number; readonly bytesAfter: number } | null => {
  const bytesBefore = statSync(path).size
  const sql = openDatabase(path, { durability: 'full', returnsSpace: true })
  try {
    // Fails while another process has the file open. The next opening enters the write-ahead log again.
    if (sql.prepare('PRAGMA journal_mode = DELETE').get()?.journal_mode !== 'delete') return null
    sql.execute('VACUUM')
    return { bytesBefore, bytesAfter: statSync(path).size }
  } catch (cause) {
    if (isLocked(cause)) return null
    throw cause
  } finally {
    sql.close()
  }
}
