import { createHash } from 'node:crypto'
import { type NewEvent, unixMs } from '@quittance/domain'
import { noEvents, type SqlDatabase, type StoredEvent, sealEvent } from '@quittance/event-store'
import { openDatabase } from '@quittance/event-store/sqlite'

type Forged = Pick<NewEvent, 'type' | 'data'>

/**
 * Appends an event to a stream of a closed log, as somebody who can write the file and computes all hashes. Its context is that of
 * the stream's last event, in an append of its own.
 */
export const forge = (path: string, stream: string, { type, data }: Forged): void => {
  const database = openDatabase(path, { durability: 'full' })
  try {
    const last = database.prepare('SELECT * FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1').get(stream)
    const tail = database.prepare('SELECT position, digest FROM events ORDER BY position DESC LIMIT 1').get()
    const metadata = JSON.parse(String(last?.metadata ?? '{}'))
    const head = last === undefined ? noEvents : { revision: BigInt(Number(last.revision)), hash: String(last.hash) }
    const context = { ...metadata, commandId: `forged ${stream}`, occurredAt: unixMs(Number(metadata.occurredAt) + 1) }
    const event = sealEvent(head, stream, { id: `forged ${type}`, type, schemaVersion: 1, data, context })
    const digest = createHash('sha256').update(`${tail?.digest}${event.hash}`, 'hex').digest('hex')
    insert(database, event, Number(tail?.position) + 1, digest, Number(last?.recorded_at))
  } finally {
    database.close()
  }
}

const insert = (
  database: SqlDatabase,
  { id, stream, revision, type, schemaVersion, data, metadata, hash }: StoredEvent,
  position: number,
  digest: string,
  recordedAt: number,
): void => {
  const statement = database.prepare(
    `INSERT INTO events (position, stream, revision, id, type, schema_version, data, metadata, hash, digest, recorded_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  statement.run(position, stream, revision, id, type, schemaVersion, data, metadata, hash, digest, recordedAt)
}
