import type { RecordedEvent } from '@quittance/domain'
import type { Connections } from './connection.ts'
import { eventColumns, integer, recordedFromRow, text } from './rows.ts'

const eventsPerBatch = 1_000

// Of the index of streams: it holds the rows in this order.
const select = `SELECT ${eventColumns} FROM events WHERE (stream, revision) > ($1, $2)
  ORDER BY stream, revision LIMIT ${eventsPerBatch}`

/** All events up to a position, a stream after the other. Errors: throws failures that `isStoreFailure` recognizes. */
export async function* readByStream({ use }: Connections, end: number): AsyncGenerator<RecordedEvent, void> {
  let [stream, revision] = ['', -1]
  for (;;) {
    const { rows } = await use((sql) => sql.query(select, [stream, revision]))
    const last = rows.at(-1)
    if (last === undefined) return
    for (const row of rows) if (integer(row, 'position') <= end) yield recordedFromRow(row)
    stream = text(last, 'stream')
    revision = integer(last, 'revision')
  }
}
