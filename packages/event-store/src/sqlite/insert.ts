import { type LogTail, nextDigest, type StoredEvent } from '../chain.ts'
import type { SqlDatabase } from '../sql.ts'
import { eventColumns } from './rows.ts'

/** Writes events at the log's end and answers the new end. Must run inside a transaction. */
export const eventInserter = (
  sql: SqlDatabase,
): ((tail: LogTail, event: StoredEvent, recordedAt: number) => LogTail) => {
  const insert = sql.prepare(`INSERT INTO events (${eventColumns}, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  return (tail, { stream, revision, id, type, schemaVersion, data, metadata, hash }, recordedAt) => {
    const position = tail.position + 1
    const digest = nextDigest(tail.digest, hash)
    insert.run(position, stream, revision, id, type, schemaVersion, data, metadata, hash, recordedAt, digest)
    return { position, digest }
  }
}
