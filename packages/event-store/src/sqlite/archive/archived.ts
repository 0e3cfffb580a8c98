import { AlteredLog } from '../../altered-log.ts'
import type { SqlDatabase } from '../../sql.ts'
import { integer, type StoredHead, text } from '../rows.ts'
import { hasArchive } from '../schema.ts'
import { openSegment } from './open-segment.ts'
import { readSegments, type Segment, segmentFolderOf } from './segments.ts'

/** Reads consecutive revisions of a stream, which are all in this segment. The connection is for this call alone. */
type ReadPiece<A> = (sql: SqlDatabase, first: number, last: number) => A

/**
 * The part of a log that is in segments. Another process may archive at any time: an event that the log's file lacks is in
 * a segment that is recorded by then, so ask here after looking there.
 */
export type Archived = {
  /** The last position in a segment; 0 without segments. Positions up to there are read from segments. */
  readonly end: () => number
  readonly segments: () => ReadonlyArray<Segment>
  /** The segment that holds a position up to `end`. Errors: throws `AlteredLog`. */
  readonly holding: (position: number) => Segment
  /** A connection to a segment, to be used at once. Errors: throws `AlteredLog` where it is missing. */
  readonly open: (segment: Segment) => SqlDatabase
  /** The last event of a stream that was removed from the log's file; null without one. */
  readonly head: (stream: string) => StoredHead | null
  /**
   * Reads the revisions from `first` to `last` of a stream, segment by segment; answers in their order.
   * Errors: throws `AlteredLog` where one is missing.
   */
  readonly pieces: <A>(stream: string, first: number, last: number, read: ReadPiece<A>) => ReadonlyArray<A>
}

/** The segments of a log, in its order. */
export const logSegments = (sql: SqlDatabase): ReadonlyArray<Segment> => archivedPart(sql).segments()

export const archivedPart = (sql: SqlDatabase): Archived => {
  let isThere = false
  let known: ReadonlyArray<Segment> = []
  let folder: string | null = null

  // Another process may add the tables to a file that was opened without them.
  const hasTables = (): boolean => {
    isThere ||= hasArchive(sql)
    return isThere
  }
  const end = (): number => {
    if (!hasTables()) return 0
    const row = sql.prepare('SELECT last_position FROM segments ORDER BY first_position DESC LIMIT 1').get()
    const last = row === undefined ? 0 : integer(row, 'last_position')
    if (last !== (known.at(-1)?.last ?? 0)) known = readSegments(sql)
    return last
  }
  const segments = (): ReadonlyArray<Segment> => {
    end()
    return known
  }
  const holding = (position: number): Segment => {
    const found = segments().find(({ first, last }) => first <= position && position <= last)
    if (found === undefined) throw new AlteredLog(`No segment of the log holds position ${position}`)
    return found
  }
  const open = (segment: Segment): SqlDatabase => {
    folder ??= segmentFolderOf(sql)
    return openSegment(folder, segment)
  }
  const head = (stream: string): StoredHead | null => {
    if (!hasTables()) return null
    const row = sql.prepare('SELECT revision, hash, position FROM archived_heads WHERE stream = ?').get(stream)
    if (row === undefined) return null
    return { revision: integer(row, 'revision'), hash: text(row, 'hash'), position: integer(row, 'position') }
  }
  const pieces = <A>(stream: string, first: number, last: number, read: ReadPiece<A>): ReadonlyArray<A> => {
    const found: A[] = []
    let wanted = last
    let position = head(stream)?.position ?? 0
    while (wanted >= first && position > 0) {
      const segment = holding(position)
      const inSegment = open(segment)
      const row = inSegment
        .prepare(
          'SELECT min(revision) AS first, max(revision) AS last FROM events WHERE stream = ? AND revision BETWEEN ? AND ?',
        )
        .get(stream, first, wanted)
      if (row?.first != null) {
        if (integer(row, 'last') !== wanted) break
        const earliest = integer(row, 'first')
        found.push(read(inSegment, earliest, wanted))
        wanted = earliest - 1
      }
      position = segment.first - 1
    }
    if (wanted >= first) throw new AlteredLog(`Event ${wanted} of ${stream} is missing`)
    return found.toReversed()
  }
  return { end, segments, holding, open, head, pieces }
}
