import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { AlteredLog } from '../../altered-log.ts'
import { emptyDigest } from '../../chain.ts'
import type { SqlDatabase } from '../../sql.ts'
import { openDatabase } from '../database.ts'
import { checkpoint, readTail } from '../heads.ts'
import { lastBefore, recordedAtIn } from '../last-before.ts'
import { lockFile } from '../lock.ts'
import { createSchema } from '../schema.ts'
import { archivedPart } from './archived.ts'
import { fileDigest } from './file-digest.ts'
import { fileBytes, firstLivePosition, freeBytes, recordSegment, removeUpTo, returnSpace } from './move-events.ts'
import { requireSegment } from './open-segment.ts'
import { sealSegment, unfinishedPrefix } from './seal-segment.ts'
import { type Segment, segmentFolder } from './segments.ts'

export type Archiving = {
  readonly path: string
  /** Unix milliseconds: events recorded before are archived, except the last event of the log. */
  readonly before: number
  readonly clock: () => number
  /** The most positions of a segment; 5 million unless given. */
  readonly mostEvents?: number
  /** Receives each segment once the log's file lacks its events. */
  readonly onSegment?: (segment: Segment) => void
}

/** `sealed` are the segments that this run has made; the sizes are those of the log's file. */
export type ArchivedLog = {
  readonly sealed: ReadonlyArray<Segment>
  readonly segments: ReadonlyArray<Segment>
  readonly bytesBefore: number
  readonly bytesAfter: number
  /** Unused pages that stay in the file, because it was made by a release that could not give them back. */
  readonly freeBytes: number
}

const mostEventsPerSegment = 5_000_000

/** The turn of the year (UTC) after a moment. */
const yearEnd = (moment: number): number => Date.UTC(new Date(moment).getUTCFullYear() + 1, 0)

/**
 * Moves events that were recorded before a moment into segments, in the order of the log, while others read and append.
 * A segment ends with a year, or when it is full. Its file is proven and on the disk before the log records it, and
 * recorded before the log's file loses its events, so it may be killed at any point; the next run goes on there.
 * Answers null where another process archives this log.
 * Errors: throws `AlteredLog` where an event or a segment is not as it was written, `NewerSchema`, and the disk's errors.
 */
export const archiveLog = async (archiving: Archiving): Promise<ArchivedLog | null> => {
  const folder = segmentFolder(archiving.path)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const unlock = lockFile(join(folder, '.lock'))
  if (unlock === null) return null
  try {
    const sql = openDatabase(archiving.path, { durability: 'full' })
    try {
      createSchema(sql)
      return await archiveOpen(sql, folder, archiving)
    } finally {
      checkpoint(sql)
      sql.close()
    }
  } finally {
    unlock()
  }
}

const archiveOpen = async (sql: SqlDatabase, folder: string, archiving: Archiving): Promise<ArchivedLog> => {
  const { before, clock, mostEvents = mostEventsPerSegment, onSegment } = archiving
  const bytesBefore = fileBytes(sql)
  for (const name of readdirSync(folder)) if (name.startsWith(unfinishedPrefix)) rmSync(join(folder, name))
  const archived = archivedPart(sql)
  const recordedAt = recordedAtIn(sql)
  await finishMove(sql, folder, archived.segments())
  const sealed: Segment[] = []
  for (;;) {
    const previous = archived.segments().at(-1)
    const first = (previous?.last ?? 0) + 1
    const newest = readTail(sql).position - 1
    if (first > newest) break
    const limit = Math.min(before, yearEnd(recordedAt(first)))
    const last = lastBefore(recordedAt, first, Math.min(newest, first + mostEvents - 1), limit)
    if (last < first) break
    const segment = await sealSegment(sql, folder, { first, last, digestBefore: previous?.digest ?? emptyDigest })
    recordSegment(sql, segment, clock())
    await removeUpTo(sql, last)
    sealed.push(segment)
    onSegment?.(segment)
  }
  await returnSpace(sql)
  return { sealed, segments: archived.segments(), bytesBefore, bytesAfter: fileBytes(sql), freeBytes: freeBytes(sql) }
}

/** Removes what an earlier run has left in the log's file, once the files that hold it are proven again. */
const finishMove = async (sql: SqlDatabase, folder: string, segments: ReadonlyArray<Segment>): Promise<void> => {
  const first = firstLivePosition(sql) ?? 0
  for (const segment of segments) {
    if (segment.last < first) continue
    requireSegment(folder, segment)
    if ((await fileDigest(join(folder, segment.name))) !== segment.sha256)
      throw new AlteredLog(`The segment ${segment.name} is not as it was sealed`)
    await removeUpTo(sql, segment.last)
  }
}
