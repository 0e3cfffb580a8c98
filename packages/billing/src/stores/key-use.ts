import { UnixMs } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import * as t from 'io-ts'
import { query } from './sql/query.ts'

/**
 * When keys were last used. It is not in the log, may be up to a minute old, and a later use makes up for a failed write.
 */
export interface KeyUse {
  /** Notes a use without delaying its request. Never throws. */
  readonly note: (keyId: string, at: UnixMs) => void
  /** Null for a key that was never used. */
  readonly last: (keyId: string) => UnixMs | null
}

const Used = t.strict({ at: UnixMs })

const coarsenessMs = 60_000

/** Beside claims and cursors. Each process writes a key at most once a minute. */
export const sqliteKeyUse = (database: SqlDatabase): KeyUse => {
  database.execute('CREATE TABLE IF NOT EXISTS key_use (key_id TEXT PRIMARY KEY, last_used_at INTEGER NOT NULL) STRICT')
  const find = query(database, Used, 'SELECT last_used_at AS at FROM key_use WHERE key_id = ?')
  const write = database.prepare(
    `INSERT INTO key_use VALUES (?, ?)
     ON CONFLICT DO UPDATE SET last_used_at = max(last_used_at, excluded.last_used_at)`,
  )
  const noted = new Map<string, UnixMs>()
  return {
    note: (keyId, at) => {
      const before = noted.get(keyId)
      if (before !== undefined && at - before < coarsenessMs) return
      noted.set(keyId, at)
      setImmediate(() => {
        try {
          write.run(keyId, at)
        } catch {
          noted.delete(keyId)
        }
      }).unref()
    },
    last: (keyId) => find.one(keyId)?.at ?? null,
  }
}
