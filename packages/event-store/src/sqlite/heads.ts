import { emptyDigest } from '../chain.ts'
import { noEvents } from '../port.ts'
import type { SqlDatabase } from '../sql.ts'
import { integer, text } from './rows.ts'

/** The end of the log: its last position (0 without events) and the running digest up to it. */
export type LogTail = { readonly position: number; readonly digest: string }

/** A stream's last event: its revision (-1 without events), hash and position (0 without events). */
export type StoredHead = { readonly revision: number; readonly hash: string; readonly position: number }

/** Reads the end of the log. */
export const readTail = (sql: SqlDatabase): LogTail => {
  const row = sql.prepare('SELECT position, digest FROM events ORDER BY position DESC LIMIT 1').get()
  return row === undefined
    ? { position: 0, digest: emptyDigest }
    : { position: integer(row, 'position'), digest: text(row, 'digest') }
}

/** Reads the end of a stream. */
export const readHead = (sql: SqlDatabase, stream: string): StoredHead => {
  const row = sql
    .prepare('SELECT revision, hash, position FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1')
    .get(stream)
  return row === undefined
    ? { revision: -1, hash: noEvents.hash, position: 0 }
    : { revision: integer(row, 'revision'), hash: text(row, 'hash'), position: integer(row, 'position') }
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

export const knownHeads = (sql: SqlDatabase): KnownHeads => {
  const dataVersion = sql.prepare('PRAGMA data_version')
  const heads = new Map<string, StoredHead>()
  let seenVersion: number | null = null
  let tail: LogTail | null = null
  const forget = (): void => {
    heads.clear()
    tail = null
    seenVersion = null
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
    head: (stream) => heads.get(stream) ?? readHead(sql, stream),
    advance: (stream, head, newTail) => {
      if (heads.size >= rememberedStreams) heads.clear()
      heads.set(stream, head)
      tail = newTail
    },
  }
}
