import type { Filter } from '../port.ts'
import { type Connection, connections } from './connection.ts'
import { connectionOptionsOf, type PostgresLogOptions } from './options.ts'
import { type Batch, readBatch, readTail } from './read.ts'
import { readSchemaVersion } from './schema.ts'
import type { PostgresSql } from './sql.ts'

/** SQL inside a running transaction, and the log as that sees it. */
export type PostgresLogSql = PostgresSql & {
  /** The position of the last event. */
  readonly end: () => Promise<number>
  /** The next events after a position, up to an end; `reached` is how far they were looked for. */
  readonly batch: (after: number, end: number, filter?: Filter) => Promise<Batch>
}

/** One session in the schema of a log, for work beside its stores, such as a rebuild of read models. */
export type PostgresLogSession = {
  /** The version of the schema; 0 where it holds no log. Errors: throws `NewerSchema`. */
  readonly schemaVersion: () => Promise<number>
  /** Runs work in a transaction, and undoes it if it throws. `repeatable` sees one state of the database all the time. */
  readonly transaction: <A>(isolation: 'usual' | 'repeatable', work: (sql: PostgresLogSql) => Promise<A>) => Promise<A>
}

/**
 * Opens a session for some work, and ends it afterwards. It is never replaced by another: once its connection is lost,
 * everything fails, so locks of the session hold as long as its work goes on.
 * Errors: throws `RangeError` for a schema's name, what the work throws, `PostgresError`, and `AlteredLog` for a damaged log.
 */
export const inPostgresLog = async <A>(
  options: PostgresLogOptions,
  work: (session: PostgresLogSession) => Promise<A>,
): Promise<A> => {
  const within = connectionOptionsOf(options)
  const { use, close } = connections(within, 1)
  try {
    return await use((connection) =>
      work({
        schemaVersion: () => readSchemaVersion(connection, within.schema),
        transaction: (isolation, inside) => transaction(connection, isolation, inside),
      }),
    )
  } finally {
    await close()
  }
}

const transaction = async <A>(
  connection: Connection,
  isolation: 'usual' | 'repeatable',
  work: (sql: PostgresLogSql) => Promise<A>,
): Promise<A> => {
  await connection.execute(isolation === 'repeatable' ? 'BEGIN ISOLATION LEVEL REPEATABLE READ' : 'BEGIN')
  try {
    const result = await work(logSql(connection))
    if (await connection.commit()) return result
  } catch (cause) {
    await connection.undo()
    throw cause
  }
  throw new Error('the server rolled back, since the work went on after a failed statement')
}

const logSql = (connection: Connection): PostgresLogSql => ({
  query: connection.query,
  execute: connection.execute,
  end: async () => (await readTail(connection)).position,
  batch: (after, end, filter) => readBatch(connection, after, end, filter),
})
