import type { RecordedEvent } from '@quittance/domain'
import { type Direction, type Filter, type Head, noEvents, type StreamSlice } from '../port.ts'
import type { SqlDatabase } from '../sql.ts'
import { readHead, readTail } from './heads.ts'
import { eventColumns, eventsAsJson, recordedFromJson, recordedFromRow, text } from './rows.ts'

const portHead = (sql: SqlDatabase, stream: string): Head => {
  const { revision, hash } = readHead(sql, stream)
  return { revision: BigInt(revision), hash }
}

const headOf = (event: RecordedEvent): Head => ({ revision: event.revision, hash: event.metadata.hash })

/** Reads part of a stream and the stream's head. Errors: throws failures that `isStoreFailure` recognizes. */
export const streamReader = (
  sql: SqlDatabase,
): ((stream: string, from: bigint | undefined, direction: Direction) => StreamSlice) => {
  const reading = (order: 'ASC' | 'DESC', bound: '>=' | '<=') => {
    const statement = sql.prepare(
      `SELECT ${eventsAsJson(order)} AS events FROM events WHERE stream = ? AND revision ${bound} ?`,
    )
    return (stream: string, from: bigint) =>
      recordedFromJson(stream, text(statement.get(stream, from), 'events'), Number(from), order)
  }
  const forwards = reading('ASC', '>=')
  const backwards = reading('DESC', '<=')
  return (stream, from, direction) => {
    if (direction === 'forwards') {
      const first = from === undefined || from < 0n ? 0n : from
      const events = forwards(stream, first)
      const last = events.at(-1)
      if (last !== undefined) return { events, head: headOf(last) }
      return { events, head: first === 0n ? noEvents : portHead(sql, stream) }
    }
    // Reads the head first, so that later appends are not part of the answer.
    const head = portHead(sql, stream)
    const last = from === undefined || from > head.revision ? head.revision : from
    return { events: backwards(stream, last), head }
  }
}

const positionsPerBatch = 1_000

/** Reads filtered events between two positions, scanning at most `positionsPerBatch` positions. */
export type LogReader = {
  readonly end: () => number
  readonly batch: (after: number, end: number) => { readonly events: RecordedEvent[]; readonly reached: number }
}

/** Reads the log in batches, so that no read transaction stays open between them. Errors: as `streamReader`. */
export const logReader = (sql: SqlDatabase, filter?: Filter): LogReader => {
  const prefixes = filter?.streamPrefixes
  const isWanted =
    prefixes === undefined ? '' : `AND (${prefixes.map(() => 'substr(stream, 1, ?) = ?').join(' OR ') || 'FALSE'})`
  const rows = sql.prepare(
    `SELECT ${eventColumns} FROM events WHERE position > ? AND position <= ? ${isWanted} ORDER BY position`,
  )
  const wanted = (prefixes ?? []).flatMap((prefix) => [[...prefix].length, prefix])
  return {
    end: () => readTail(sql).position,
    batch: (after, end) => {
      const reached = Math.max(after, Math.min(after + positionsPerBatch, end))
      return { events: rows.all(after, reached, ...wanted).map(recordedFromRow), reached }
    },
  }
}
