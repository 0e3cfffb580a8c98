import { emptyDigest, type LogTail } from '../chain.ts'
import { noEvents } from '../port.ts'
import type { SqlDatabase } from '../sql.ts'
import type { Archived } from './archive/archived.ts'
import { isStoreFailure } from './failures.ts'
import { integer, type StoredHead, text } from './rows.ts'

/** Checkpoints the write-ahead log, as far as other processes' readers allow. */
export const checkpoint = (sql: SqlDatabase): void => {
  try {
    sql.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all()
  } catch (error) {
    // The write-ahead log stays beside the file; nothing is lost.
    if (!isStoreFailure(error)) throw error
  }
}

/** Reads the end of the log, whose last event is never archived. */
export const readTail = (sql: SqlDatabase): LogTail => {
  const row = sql.prepare('SELECT position, digest FROM events ORDER BY position DESC LIMIT 1').get()
  return row === undefined
    ? { position: 0, digest: emptyDigest }
    : { position: integer(row, 'position'), digest: text(row, 'digest') }
}

const noStoredEvents: StoredHead = { revision: -1, hash: noEvents.hash, position: 0 }

/** Reads the end of a stream. */
export const readHead = (sql: SqlDatabase, archivedHead: Archived['head'], stream: string): StoredHead => {
  const row = sql
    .prepare('SELECT revision, hash, position FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1')
    .get(stream)
  if (row === undefined) return archivedHead(stream) ?? noStoredEvents
  return { revision: integer(row, 'revision'), hash: text(row, 'hash'), position: integer(row, 'position') }
}

/**
 * The writing connection's cache of heads, which saves looking up the stream (half the cost of a small append).
 * `refresh` runs inside BEGIN IMMEDIATE: SQLite's data_version then tells whether another connection has written, which
 * clears the cache.
 */
export type KnownHeads = {
  /** Answers whether others may have written since the last call. */
  readonly refresh: () => boolean
  readonly forget: () => void
  readonly tail: () => LogTail
  readonly head: (stream: string) => StoredHead
  readonly advance: (stream: string, head: StoredHead, tail: LogTail) => void
}

const rememberedStreams = 10_000

export const knownHeads = (sql: SqlDatabase, archived: Archived): KnownHeads => {
  const dataVersion = sql.prepare('PRAGMA data_version')
  const heads = new Map<string, StoredHead>()
  let seenVersion: number | null = null
  let tail: LogTail | null = null
  let archivedEnd: number | null = null
  const forget = (): void => {
    heads.clear()
    tail = null
    archivedEnd = null
    seenVersion = null
  }
  /** Only other connections archive. */
  const archivedHead = (stream: string): StoredHead | null => {
    archivedEnd ??= archived.end()
    return archivedEnd === 0 ? null : archived.head(stream)
  }
  return {
    forget,
    refresh: () => {
      const version = integer(dataVersion.get(), 'data_version')
      if (version === seenVersion) return false
      forget()
      seenVersion = version
      return true
    },
    tail: () => {
      tail ??= readTail(sql)
      return tail
    },
    head: (stream) => heads.get(stream) ?? readHead(sql, archivedHead, stream),
    advance: (stream, head, newTail) => {
      if (heads.size >= rememberedStreams) heads.clear()
      heads.set(stream, head)
      tail = newTail
    },
  }
}
