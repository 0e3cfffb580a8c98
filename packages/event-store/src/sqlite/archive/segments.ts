import { dirname, join } from 'node:path'
import type { SqlDatabase } from '../../sql.ts'
import { integer, text } from '../rows.ts'

/** Consecutive positions of the log in a read-only file of their own, as the log's file records them. */
export type Segment = {
  readonly first: number
  readonly last: number
  /** The log's digest before the first position, and at the last. */
  readonly digestBefore: string
  readonly digest: string
  /** The file's name, which holds the positions and the start of its SHA-256. */
  readonly name: string
  readonly sha256: string
  readonly bytes: number
}

/** The folder of a log's segments, beside its file. */
export const segmentFolder = (logPath: string): string => join(dirname(logPath), 'segments')

/** The folder of the segments of an open log. A log in memory has none. */
export const segmentFolderOf = (sql: SqlDatabase): string =>
  segmentFolder(text(sql.prepare("SELECT file FROM pragma_database_list WHERE name = 'main'").get(), 'file'))

/** The segments in the order of the log. Errors: throws the driver's `SqliteError` for a file of schema version 1. */
export const readSegments = (sql: SqlDatabase): ReadonlyArray<Segment> =>
  sql
    .prepare('SELECT * FROM segments ORDER BY first_position')
    .all()
    .map((row) => ({
      first: integer(row, 'first_position'),
      last: integer(row, 'last_position'),
      digestBefore: text(row, 'digest_before'),
      digest: text(row, 'digest'),
      name: text(row, 'name'),
      sha256: text(row, 'sha256'),
      bytes: integer(row, 'bytes'),
    }))
