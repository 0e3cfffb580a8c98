import type { SqlDatabase } from '../sql.ts'
import { archivedPart } from './archive/archived.ts'
import { integer, text } from './rows.ts'

/** What a log holds of an event to recognize it by. `recordedAt` is in Unix milliseconds. */
export type StoredHash = {
  readonly stream: string
  readonly revision: number
  readonly hash: string
  readonly recordedAt: number
}

const columns = 'SELECT stream, revision, hash, recorded_at FROM events WHERE position > ? ORDER BY position'

/**
 * The hashes of all events in the order of the log, from its segments and its file, as they are stored: `verify` checks
 * that they belong to the events.
 * Errors: throws failures that `isStoreFailure` recognizes.
 */
export function* storedHashes(sql: SqlDatabase): Generator<StoredHash> {
  const archived = archivedPart(sql)
  const read = function* (database: SqlDatabase, after: number): Generator<StoredHash> {
    for (const row of database.prepare(columns).iterate(after))
      yield {
        stream: text(row, 'stream'),
        revision: integer(row, 'revision'),
        hash: text(row, 'hash'),
        recordedAt: integer(row, 'recorded_at'),
      }
  }
  for (const segment of archived.segments()) yield* read(archived.open(segment), 0)
  yield* read(sql, archived.end())
}
