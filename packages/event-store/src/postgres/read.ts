import type { RecordedEvent } from '@quittance/domain'
import { AlteredLog } from '../altered-log.ts'
import { emptyDigest, type LogTail } from '../chain.ts'
import { type Direction, type Filter, type Head, noEvents, type StreamSlice } from '../port.ts'
import type { Connections } from './connection.ts'
import { storedName, textArray } from './names.ts'
import { eventColumns, integer, recordedFromRow, text } from './rows.ts'
import type { PostgresSql } from './sql.ts'

/** Reads the end of the log. */
export const readTail = async (sql: PostgresSql): Promise<LogTail> => {
  const { rows } = await sql.query(
    "SELECT position, encode(digest, 'hex') AS digest FROM events ORDER BY position DESC LIMIT 1",
  )
  const [row] = rows
  return row === undefined
    ? { position: 0, digest: emptyDigest }
    : { position: integer(row, 'position'), digest: text(row, 'digest') }
}

/** The last position that was recorded before a moment; 0 without one. By bisection, as positions have no gaps. */
export const lastBefore = async (sql: PostgresSql, moment: number): Promise<number> => {
  let [found, beyond] = [0, (await readTail(sql)).position + 1]
  while (beyond - found > 1) {
    const middle = Math.floor((found + beyond) / 2)
    const { rows } = await sql.query('SELECT recorded_at < $2 AS earlier FROM events WHERE position = $1', [
      middle,
      moment,
    ])
    const [row] = rows
    if (row === undefined) throw new AlteredLog(`Position ${middle} of the log is missing`)
    if (row.earlier === true) found = middle
    else beyond = middle
  }
  return found
}

const positionsPerBatch = 1_000

/** Events of the log, and the position up to which they were looked for. */
export type Batch = { readonly events: ReadonlyArray<RecordedEvent>; readonly reached: number }

/** Reads filtered events in (after, end], scanning at most `positionsPerBatch` positions. Errors: as `streamReader`. */
export const readBatch = async (sql: PostgresSql, after: number, end: number, filter?: Filter): Promise<Batch> => {
  const reached = Math.max(after, Math.min(after + positionsPerBatch, end))
  if (reached === after) return { events: [], reached }
  const range = `SELECT ${eventColumns} FROM events WHERE position > $1 AND position <= $2`
  const { rows } =
    filter === undefined
      ? await sql.query(`${range} ORDER BY position`, [after, reached])
      : await sql.query(
          `${range} AND EXISTS (SELECT FROM unnest($3::text[]) AS prefix WHERE starts_with(stream, prefix))
           ORDER BY position`,
          [after, reached, textArray(filter.streamPrefixes.map(storedName))],
        )
  return { events: rows.map(recordedFromRow), reached }
}

/** As `readBatch`, up to the log's end at this moment. */
export const readNext = async (sql: PostgresSql, after: number, filter?: Filter): Promise<Batch> => {
  if (filter !== undefined) return readBatch(sql, after, (await readTail(sql)).position, filter)
  const { rows } = await sql.query(
    `SELECT ${eventColumns} FROM events WHERE position > $1 ORDER BY position LIMIT ${positionsPerBatch}`,
    [after],
  )
  const events = rows.map(recordedFromRow)
  return { events, reached: Number(events.at(-1)?.position ?? after) }
}

const headOf = (event: RecordedEvent): Head => ({ revision: event.revision, hash: event.metadata.hash })

/** Events of one stream. Errors: throws `AlteredLog` where one in between is missing. */
const gapless = (
  stream: string,
  events: ReadonlyArray<RecordedEvent>,
  step: 1n | -1n,
): ReadonlyArray<RecordedEvent> => {
  let expected = events[0]?.revision ?? 0n
  for (const { revision } of events) {
    if (revision !== expected) throw new AlteredLog(`Event ${expected} of ${stream} is missing`)
    expected += step
  }
  return events
}

/** Reads parts of streams. Errors: throws failures that `isStoreFailure` recognizes. */
export type StreamReader = {
  readonly slice: (stream: string, from: bigint | undefined, direction: Direction) => Promise<StreamSlice>
  /** The events of these revisions. */
  readonly between: (stream: string, first: bigint, last: bigint) => Promise<ReadonlyArray<RecordedEvent>>
}

const select = `SELECT ${eventColumns} FROM events WHERE stream = $1`

export const streamReader = ({ use }: Connections): StreamReader => {
  const read = async (condition: string, stream: string, ...bounds: ReadonlyArray<bigint>) => {
    const { rows } = await use((sql) => sql.query(`${select} ${condition}`, [storedName(stream), ...bounds]))
    return rows.map(recordedFromRow)
  }
  const head = async (stream: string): Promise<Head> => {
    const [last] = await read('ORDER BY revision DESC LIMIT 1', stream)
    return last === undefined ? noEvents : headOf(last)
  }

  const forwards = async (stream: string, first: bigint): Promise<StreamSlice> => {
    const events = gapless(stream, await read('AND revision >= $2 ORDER BY revision', stream, first), 1n)
    const last = events.at(-1)
    if (last !== undefined) return { events, head: headOf(last) }
    return { events, head: first === 0n ? noEvents : await head(stream) }
  }

  const backwards = async (stream: string, from: bigint | undefined): Promise<StreamSlice> => {
    // Reads the head first, so that later appends are not part of the answer.
    const end = await head(stream)
    const last = from === undefined || from > end.revision ? end.revision : from
    const events = await read('AND revision <= $2 ORDER BY revision DESC', stream, last)
    return { events: gapless(stream, events, -1n), head: end }
  }

  return {
    slice: (stream, from, direction) =>
      direction === 'backwards'
        ? backwards(stream, from)
        : forwards(stream, from === undefined || from < 0n ? 0n : from),
    between: (stream, first, last) => read('AND revision BETWEEN $2 AND $3 ORDER BY revision', stream, first, last),
  }
}
