import type { SqlDatabase } from '../sql.ts'
import type { Writability } from '../writability.ts'
import { isLocked, isStoreFailure, sqliteCode } from './failures.ts'

/** As much as most commits write. */
const probeBytes = 64 * 1024

/** Writes a row of zeros into a table of its own, durably, and answers how that went. */
export const probeWrite = (sql: SqlDatabase): Writability => {
  try {
    sql.transaction(() => {
      sql.execute('CREATE TABLE IF NOT EXISTS write_probe (number INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT')
      sql.prepare('INSERT OR REPLACE INTO write_probe VALUES (0, zeroblob(?))').run(probeBytes)
    })
    return 'ok'
  } catch (cause) {
    if (isLocked(cause)) return 'locked'
    if (!isStoreFailure(cause)) throw cause
    const code = sqliteCode(cause) ?? ''
    if (code === 'SQLITE_FULL') return 'full'
    return code.startsWith('SQLITE_READONLY') ? 'read_only' : 'failing'
  }
}
