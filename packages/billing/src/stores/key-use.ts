import { UnixMs } from '@quittance/domain'
import type { Sql } from '@quittance/event-store'
import * as t from 'io-ts'
import { query, write } from './sql/query.ts'

/**
 * When keys were last used. It is not in the log, may be up to a minute old, and a later use makes up for a failed write.
 */
export interface KeyUse {
  /** Notes a use without delaying its request. Never throws. */
  readonly note: (keyId: string, at: UnixMs) => void
  /** Null for a key that was never used. */
  readonly last: (keyId: string) => Promise<UnixMs | null>
}

const Used = t.strict({ at: UnixMs })

const coarsenessMs = 60_000

export const keyUseTable =
  'CREATE TABLE IF NOT EXISTS key_use (key_id TEXT PRIMARY KEY, last_used_at INTEGER NOT NULL) STRICT'

const find = query(Used, 'SELECT last_used_at AS at FROM key_use WHERE key_id = ?')

/** Beside claims and cursors. Each process writes a key at most once a minute. */
export const keyUse = ({ run, dialect }: Sql): KeyUse => {
  const use = write(
    `INSERT INTO key_use VALUES (?, ?) ON CONFLICT (key_id) DO UPDATE
     SET last_used_at = ${dialect.greatest}(key_use.last_used_at, excluded.last_used_at)`,
  )
  const noted = new Map<string, UnixMs>()
  return {
    note: (keyId, at) => {
      const before = noted.get(keyId)
      if (before !== undefined && at - before < coarsenessMs) return
      noted.set(keyId, at)
      setImmediate(() => {
        run(use(keyId, at)).catch(() => noted.delete(keyId))
      }).unref()
    },
    last: async (keyId) => (await run(find.one(keyId)))?.at ?? null,
  }
}
