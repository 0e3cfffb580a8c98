import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RecordedEvent } from '@quittance/domain'
import type { SqlDatabase } from '../sql.ts'
import { streamReader } from './read.ts'
import { text } from './rows.ts'
import { hasArchive } from './schema.ts'

const streamsPerBatch = 200

/** The next names of streams, also of those that are in segments alone, in their order. */
const namesAfter = (sql: SqlDatabase, stream: string): ReadonlyArray<string> => {
  const behind = (table: string): ReadonlyArray<string> =>
    sql
      .prepare(`SELECT DISTINCT stream FROM ${table} WHERE stream > ? ORDER BY stream LIMIT ${streamsPerBatch}`)
      .all(stream)
      .map((row) => text(row, 'stream'))
  // The log's file first: another process may archive a stream meanwhile, and it is in the other table by then.
  const live = behind('events')
  if (!hasArchive(sql)) return live
  const names = new Set([...live, ...behind('archived_heads')])
  return [...names].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))).slice(0, streamsPerBatch)
}

/** All events up to a position, a stream after the other, each read whole. Errors: as `streamReader`. */
export async function* readByStream(sql: SqlDatabase, end: number): AsyncGenerator<RecordedEvent, void> {
  const read = streamReader(sql)
  for (let [names, last] = [namesAfter(sql, ''), '']; names.length > 0; names = namesAfter(sql, last)) {
    for (const name of names)
      for (const event of read(name, undefined, 'forwards').events) if (event.position <= end) yield event
    last = names.at(-1) ?? last
    if (names.length === streamsPerBatch) await nextTurn()
  }
}
