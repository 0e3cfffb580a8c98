import { UnixMs } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import { decodeOrThrow } from '../kernel/decode.ts'

/**
 * When keys were last used. It is no fact of the business: it is in no log, may be up to a minute old, and a write that
 * fails is made up for by a later use.
 */
export interface KeyUse {
  /** Notes a use at a moment, after the request that it belongs to has gone on. Never throws. */
  readonly note: (keyId: string, at: UnixMs) => void
  /** Null for a key that was never used. */
  readonly last: (keyId: string) => UnixMs | null
}

const coarsenessMs = 60_000

/** Beside claims and cursors. Each process writes at the most once a minute for a key. */
export const sqliteKeyUse = (database: SqlDatabase): KeyUse => {
  database.execute('CREATE TABLE IF NOT EXISTS key_use (key_id TEXT PRIMARY KEY, last_used_at INTEGER NOT NULL) STRICT')
  const find = database.prepare('SELECT last_used_at FROM key_use WHERE key_id = ?')
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
    last: (keyId) => {
      const row = find.get(keyId)
      return row === undefined ? null : decodeOrThrow(UnixMs, row.last_used_at)
    },
  }
}
