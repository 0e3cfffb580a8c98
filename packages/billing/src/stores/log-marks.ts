import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { asText, count, LogMark, type RecordedEvent, unixMs } from '@quittance/domain'
import type { EventStore, Sql, SqlDatabase } from '@quittance/event-store'
import { runNow, sqlitePrograms } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { isChanged, query } from './sql/query.ts'
import { create } from './sql/schema.ts'

/** The newest event that this process has written to the log or read from it. */
export interface NewestEvent {
  readonly note: (event: RecordedEvent) => void
  readonly mark: () => LogMark | null
  /** Its position in the log as it is now. */
  readonly position: () => bigint
}

export const newestEvent = (): NewestEvent => {
  let newest: RecordedEvent | null = null
  return {
    note: (event) => {
      if (newest === null || event.position > newest.position) newest = event
    },
    mark: () => (newest === null ? null : markOf(newest)),
    position: () => newest?.position ?? 0n,
  }
}

const markOf = ({ position, stream, revision, metadata, recordedAt }: RecordedEvent): LogMark => ({
  position: asText(String(position)),
  stream: asText(stream),
  revision: count(Number(revision)),
  hash: asText(metadata.hash),
  at: unixMs(recordedAt),
})

/** A store that notes the newest event of every stream that it reads or appends to. */
export const notingNewest = (store: EventStore, newest: NewestEvent): EventStore => {
  const note = (event: RecordedEvent | undefined): void => {
    if (event !== undefined) newest.note(event)
  }
  return {
    ...store,
    readStream:
      (...request) =>
      async () => {
        const slice = await store.readStream(...request)()
        if (E.isRight(slice)) note(slice.right.events.at(request[2] === 'backwards' ? 0 : -1))
        return slice
      },
    append:
      (...request) =>
      async () => {
        const appended = await store.append(...request)()
        if (E.isRight(appended)) note(appended.right.events.at(-1))
        return appended
      },
  }
}

/** Keeps one mark outside the log. */
export interface MarkKeeper {
  readonly kept: () => Promise<LogMark | null>
  /** Replaces a mark that is still kept; false if another process was first. */
  readonly move: (from: LogMark | null, to: LogMark) => Promise<boolean>
}

const textOf = (mark: LogMark | null): string => (mark === null ? '' : JSON.stringify(LogMark.encode(mark)))

export const markIn = (text: string): LogMark | null => {
  try {
    const mark = LogMark.decode(JSON.parse(text))
    return E.isLeft(mark) ? null : mark.right
  } catch {
    return null
  }
}

export const markTable = `CREATE TABLE IF NOT EXISTS log_mark (
  "only" INTEGER PRIMARY KEY CHECK ("only" = 1), mark TEXT NOT NULL
) STRICT;
INSERT INTO log_mark ("only", mark) VALUES (1, '') ON CONFLICT DO NOTHING`

const find = query(t.strict({ mark: t.string }), 'SELECT mark FROM log_mark')
const move = isChanged('UPDATE log_mark SET mark = ? WHERE mark = ?')

/** Beside the vault, as durable as a signing record. */
export const markBesideVault = ({ run }: Sql): MarkKeeper => ({
  kept: async () => markIn((await run(find.one()))?.mark ?? ''),
  move: (from, to) => run(move(textOf(to), textOf(from))),
})

/** In the file of a vault. */
export const sqliteMark = (database: SqlDatabase): MarkKeeper => {
  const sql = sqlitePrograms(database)
  runNow(database, create(sql.dialect, markTable))
  return markBesideVault(sql)
}

/** The mark in a file; null without one, or without a whole one, as after a power failure. */
export const readMarkFile = (path: string): LogMark | null => {
  try {
    return markIn(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

/** Written by rename and not synced: a power failure may bring an older mark back. */
export const writeMarkFile = (path: string, mark: LogMark): void => {
  const fresh = `${path}.${process.pid}`
  try {
    writeFileSync(fresh, `${textOf(mark)}\n`, { mode: 0o600 })
    chmodSync(fresh, 0o600)
    renameSync(fresh, path)
  } finally {
    rmSync(fresh, { force: true })
  }
}

export const fileMark = (path: string): MarkKeeper => ({
  kept: async () => readMarkFile(path),
  move: async (_, to) => {
    try {
      writeMarkFile(path, to)
      return true
    } catch {
      // The mark may lag: a full disk does not stop what the vault's mark covers.
      return false
    }
  },
})
