import type { RecordedEvent } from '@quittance/domain'
import { AlteredLog } from '../altered-log.ts'
import { type Direction, type Filter, type Head, noEvents, type StreamSlice } from '../port.ts'
import type { SqlDatabase } from '../sql.ts'
import { type Archived, archivedPart } from './archive/archived.ts'
import { readHead, readTail } from './heads.ts'
import { eventColumns, eventsAsJson, recordedFromJson, recordedFromRow, type StoredHead, text } from './rows.ts'

const portHead = ({ revision, hash }: StoredHead): Head => ({ revision: BigInt(revision), hash })

const headOf = (event: RecordedEvent): Head => ({ revision: event.revision, hash: event.metadata.hash })

/** Reads archived revisions of a stream, in their order. Errors: throws `AlteredLog` where one is missing. */
export const archivedReader =
  (archived: Archived) =>
  (stream: string, first: number, last: number): ReadonlyArray<RecordedEvent> =>
    archived
      .pieces(stream, first, last, (segment, from, to) => {
        const statement = segment.prepare(
          `SELECT ${eventsAsJson('ASC')} AS events FROM events WHERE stream = ? AND revision BETWEEN ? AND ?`,
        )
        return recordedFromJson(stream, text(statement.get(stream, from, to), 'events'), 'ASC')
      })
      .flat()

const mostReads = 3

/**
 * Reads part of a stream and the stream's head, from the log's file and, where that lacks events, from segments.
 * Errors: throws failures that `isStoreFailure` recognizes.
 */
export const streamReader = (
  sql: SqlDatabase,
): ((stream: string, from: bigint | undefined, direction: Direction) => StreamSlice) => {
  const archived = archivedPart(sql)
  const inSegments = archivedReader(archived)
  const reading = (order: 'ASC' | 'DESC', bound: '>=' | '<=') => {
    const statement = sql.prepare(
      `SELECT ${eventsAsJson(order)} AS events FROM events WHERE stream = ? AND revision ${bound} ?`,
    )
    return (stream: string, from: number) =>
      recordedFromJson(stream, text(statement.get(stream, from), 'events'), order)
  }
  const liveFrom = reading('ASC', '>=')
  const liveTo = reading('DESC', '<=')

  const forwards = (stream: string, first: number): StreamSlice => {
    for (let read = 1; read <= mostReads; read += 1) {
      const live = liveFrom(stream, first)
      const [earliest] = live
      const last = live.at(-1)
      if (earliest !== undefined && last !== undefined) {
        const lowest = Number(earliest.revision)
        const events = lowest === first ? live : [...inSegments(stream, first, lowest - 1), ...live]
        return { events, head: headOf(last) }
      }
      const inArchive = archived.head(stream)
      if (inArchive !== null && inArchive.revision >= first)
        return { events: inSegments(stream, first, inArchive.revision), head: portHead(inArchive) }
      if (first === 0) return { events: [], head: noEvents }
      const head = readHead(sql, archived.head, stream)
      if (head.revision < first) return { events: [], head: portHead(head) }
      // Another process has appended in between.
    }
    throw new AlteredLog(`Event ${first} of ${stream} cannot be found`)
  }

  const backwards = (stream: string, from: bigint | undefined): StreamSlice => {
    // Reads the head first, so that later appends are not part of the answer.
    const head = portHead(readHead(sql, archived.head, stream))
    const last = Number(from === undefined || from > head.revision ? head.revision : from)
    const live = liveTo(stream, last)
    const lowest = Number(live.at(-1)?.revision ?? last + 1)
    return { events: lowest <= 0 ? live : [...live, ...inSegments(stream, 0, lowest - 1).toReversed()], head }
  }

  return (stream, from, direction) => {
    if (direction === 'backwards') return backwards(stream, from)
    return forwards(stream, from === undefined || from < 0n ? 0 : Number(from))
  }
}

const positionsPerBatch = 1_000

/** Reads filtered events between two positions, scanning at most `positionsPerBatch` positions. */
export type LogReader = {
  readonly end: () => number
  readonly batch: (after: number, end: number) => { readonly events: RecordedEvent[]; readonly reached: number }
}

/**
 * Reads the log in batches, so that no read transaction stays open between them: positions up to the end of the last
 * segment from segments, later ones from the log's file. Errors: as `streamReader`.
 */
export const logReader = (sql: SqlDatabase, filter?: Filter): LogReader => {
  const archived = archivedPart(sql)
  const prefixes = filter?.streamPrefixes
  const isWanted =
    prefixes === undefined ? '' : `AND (${prefixes.map(() => 'substr(stream, 1, ?) = ?').join(' OR ') || 'FALSE'})`
  const text = `SELECT ${eventColumns} FROM events WHERE position > ? AND position <= ? ${isWanted} ORDER BY position`
  const live = sql.prepare(text)
  const wanted = (prefixes ?? []).flatMap((prefix) => [[...prefix].length, prefix])
  return {
    end: () => readTail(sql).position,
    batch: (after, end) => {
      const reached = Math.max(after, Math.min(after + positionsPerBatch, end))
      if (reached === after) return { events: [], reached }
      const rows = after < archived.end() ? [] : live.all(after, reached, ...wanted)
      // Asked again, because another process may have archived these positions before they were read.
      if (after >= archived.end()) return { events: rows.map(recordedFromRow), reached }
      const segment = archived.holding(after + 1)
      const inSegment = Math.min(reached, segment.last)
      const found = archived
        .open(segment)
        .prepare(text)
        .all(after, inSegment, ...wanted)
      return { events: found.map(recordedFromRow), reached: inSegment }
    },
  }
}

/** Counts the events up to a position of the streams whose names are in [from, to). Errors: as `streamReader`. */
export const eventCounter = (sql: SqlDatabase): ((from: string, to: string, end: number) => number) => {
  const archived = archivedPart(sql)
  const text =
    'SELECT count(*) AS events FROM events WHERE stream >= ? AND stream < ? AND position > ? AND position <= ?'
  return (from, to, end) => {
    const counted = (database: SqlDatabase, after: number): number =>
      Number(database.prepare(text).get(from, to, after, end)?.events)
    let events = 0
    for (const segment of archived.segments()) if (segment.first <= end) events += counted(archived.open(segment), 0)
    return events + counted(sql, archived.end())
  }
}
