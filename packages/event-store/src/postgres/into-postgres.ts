import * as E from 'fp-ts/lib/Either.js'
import { type LogTail, nextDigest } from '../chain.ts'
import { type CopyFailure, unavailable } from '../copy/failures.ts'
import type { CopyTarget, ProvenEvent } from '../copy/target.ts'
import { takeLogLock } from './append-function.ts'
import { type Connection, connections } from './connection.ts'
import { isStoreFailure } from './failures.ts'
import { readUpTo } from './follow.ts'
import { requireStreamName, storedName, textArray } from './names.ts'
import { connectionOptionsOf, type PostgresLogOptions } from './options.ts'
import { openProjections, type Projecting } from './projecting.ts'
import type { PostgresProjection } from './projection.ts'
import { readTail } from './read.ts'
import { createSchema } from './schema.ts'
import type { PostgresSql } from './sql.ts'

/** A log in PostgreSQL that a copy is written to. */
export type PostgresTarget = CopyTarget & { readonly close: () => Promise<void> }

/**
 * A schema of PostgreSQL as the target of a copy, created if missing. It writes rows instead of appending, so that events
 * keep their recorded times. A batch is one transaction under the log's lock, which checks that the log's end is where the
 * copy left it, and writes the projections. Those that lag are caught up before the first batch.
 * Errors: rejects with `NewerSchema`, `RangeError` for a schema's name, and `PostgresError` where the log cannot be opened.
 * `write` throws `RangeError` for a stream's name that no index holds, and what a projection throws.
 */
export const intoPostgres = async (
  options: PostgresLogOptions,
  projections: ReadonlyArray<PostgresProjection> = [],
): Promise<PostgresTarget> => {
  const within = connectionOptionsOf(options)
  const log = connections(within, 2)
  await createSchema(log, within.schema).catch(async (cause: unknown) => {
    await log.close()
    throw cause
  })
  let projecting: Promise<Projecting> | null = null
  return {
    readAll: async function* (after) {
      yield* readUpTo(log, Number(after), (await log.use(readTail)).position, undefined)
    },
    write: async (events, held) => {
      try {
        projecting ??= openProjections(log, projections)
        const rows = await projecting
        return await log.use((connection) => writeBatch(connection, rows, events, held))
      } catch (cause) {
        if (!isStoreFailure(cause)) throw cause
        return E.left(unavailable('target', cause))
      }
    },
    close: log.close,
  }
}

const writeBatch = async (
  connection: Connection,
  projecting: Projecting,
  events: ReadonlyArray<ProvenEvent>,
  held: number,
): Promise<E.Either<CopyFailure, void>> => {
  await connection.execute('BEGIN')
  await connection.query(`SELECT ${takeLogLock}`)
  let tail = await readTail(connection)
  if (tail.position !== held) {
    await connection.undo()
    return E.left({ _tag: 'TargetChanged' })
  }
  for (const part of partsOf(events)) tail = await insert(connection, tail, part)
  if (projecting.projections.length > 0) {
    const written = events.map(({ recorded }, index) => ({ ...recorded, position: BigInt(held + index + 1) }))
    await projecting.applyCopied(connection, { tail: held, events: written })
  }
  if (await connection.commit()) return E.right(undefined)
  throw new Error('the server rolled back a batch of which every statement had succeeded')
}

/** What one statement takes: a server holds all of it in memory, several times. */
const largestText = 8 * 1024 * 1024

const partsOf = (events: ReadonlyArray<ProvenEvent>): ReadonlyArray<ReadonlyArray<ProvenEvent>> => {
  const parts: Array<Array<ProvenEvent>> = []
  let length = 0
  for (const event of events) {
    const own = event.stored.data.length + event.stored.metadata.length
    const part = parts.at(-1)
    if (part === undefined || length + own > largestText) {
      parts.push([event])
      length = own
    } else {
      part.push(event)
      length += own
    }
  }
  return parts
}

const statement = `INSERT INTO events
  SELECT e.position, e.recorded_at, e.revision, e.schema_version, decode(e.hash, 'hex'), decode(e.digest, 'hex'),
    e.stream, e.id, e.type, e.data, e.metadata
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[],
    $9::text[], $10::text[], $11::text[])
    AS e(position, recorded_at, revision, schema_version, hash, digest, stream, id, type, data, metadata)`

/** Writes events at the log's end and answers the new end. */
const insert = async (sql: PostgresSql, tail: LogTail, events: ReadonlyArray<ProvenEvent>): Promise<LogTail> => {
  let { digest } = tail
  const digests = events.map(({ stored }) => {
    requireStreamName(stored.stream)
    digest = nextDigest(digest, stored.hash)
    return digest
  })
  const numbers = (read: (event: ProvenEvent, index: number) => number) => `{${events.map(read).join(',')}}`
  const texts = (read: (event: ProvenEvent['stored']) => string) => textArray(events.map(({ stored }) => read(stored)))
  await sql.query(statement, [
    numbers((_, index) => tail.position + index + 1),
    numbers(({ recorded }) => recorded.recordedAt),
    numbers(({ stored }) => stored.revision),
    numbers(({ stored }) => stored.schemaVersion),
    texts(({ hash }) => hash),
    textArray(digests),
    texts(({ stream }) => storedName(stream)),
    texts(({ id }) => storedName(id)),
    texts(({ type }) => storedName(type)),
    texts(({ data }) => data),
    texts(({ metadata }) => metadata),
  ])
  return { position: tail.position + events.length, digest }
}
