import { createHash } from 'node:crypto'
import { type NewEvent, unixMs } from '@quittance/domain'
import { noEvents, type SqlDatabase, type StoredEvent, sealEvent } from '@quittance/event-store'
import { openDatabase, sqliteEventStore } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'

type Forged = Pick<NewEvent, 'type' | 'data'>

/**
 * Appends an event to a stream of a closed log, as somebody who can write the file and computes all hashes. Its context is that of
 * the stream's last event, in an append of its own.
 */
export const forge = (path: string, stream: string, { type, data }: Forged): void =>
  withFile(path, (database) => {
    const last = database.prepare('SELECT * FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1').get(stream)
    const metadata = JSON.parse(String(last?.metadata ?? '{}'))
    const context = { ...metadata, commandId: `forged ${stream}`, occurredAt: unixMs(Number(metadata.occurredAt) + 1) }
    append(database, stream, { id: `forged ${type}`, type, schemaVersion: 1, data, context }, Number(last?.recorded_at))
  })

/** Appends the events of one stream of a closed log to another as well, with all hashes. */
export const forgeCopy = (path: string, from: string, to: string): void =>
  withFile(path, (database) => {
    const rows = database.prepare('SELECT * FROM events WHERE stream = ? ORDER BY revision').all(from)
    for (const { id, type, schema_version, data, metadata, recorded_at } of rows) {
      const context = { ...JSON.parse(String(metadata)), commandId: `forged ${to}` }
      const copied = { type: String(type), schemaVersion: Number(schema_version), data: JSON.parse(String(data)) }
      append(database, to, { id: `forged ${id}`, ...copied, context }, Number(recorded_at))
    }
  })

/**
 * Writes a closed log again, in which events of one type have other data or another actor, with every hash, chain and digest
 * computed anew: what whoever owns the disk can do.
 */
export const rewriteLog = async (path: string, type: string, from: string | RegExp, to: string): Promise<void> => {
  const rewritten = `${path}.rewritten`
  const before = sqliteEventStore({ path, clock: () => 0, projections: [] })
  let now = 0
  const after = sqliteEventStore({ path: rewritten, clock: () => now, projections: [] })
  for await (const { stream, id, type: own, schemaVersion, data, metadata, recordedAt } of before.readAll(0n)) {
    const { hash: _, previousHash: __, ...context } = metadata
    const slice = await after.readStream(stream)()
    if (E.isLeft(slice)) throw new Error('it is readable')
    now = recordedAt
    const text = JSON.stringify({ data, context })
    const changed = JSON.parse(own === type ? text.replace(from, to) : text)
    const appended = await after.append(stream, slice.right.head, [{ id, type: own, schemaVersion, ...changed }])()
    if (E.isLeft(appended)) throw new Error(appended.left._tag)
  }
  before.close()
  after.close()
  withFile(path, (database) =>
    database.execute(
      `ATTACH '${rewritten}' AS other; DELETE FROM events; INSERT INTO events SELECT * FROM other.events; DETACH other`,
    ),
  )
}

const withFile = (path: string, work: (database: SqlDatabase) => void): void => {
  const database = openDatabase(path, { durability: 'full' })
  try {
    work(database)
  } finally {
    database.close()
  }
}

const append = (database: SqlDatabase, stream: string, event: NewEvent, recordedAt: number): void => {
  const last = database.prepare('SELECT * FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1').get(stream)
  const tail = database.prepare('SELECT position, digest FROM events ORDER BY position DESC LIMIT 1').get()
  const head = last === undefined ? noEvents : { revision: BigInt(Number(last.revision)), hash: String(last.hash) }
  const sealed = sealEvent(head, stream, event)
  const digest = createHash('sha256').update(`${tail?.digest}${sealed.hash}`, 'hex').digest('hex')
  insert(database, sealed, Number(tail?.position) + 1, digest, recordedAt)
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
