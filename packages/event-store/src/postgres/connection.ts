import pg from 'pg'
import { atMost } from '../at-most.ts'
import { configOf } from './client-config.ts'
import { PostgresError } from './failures.ts'
import type { ConnectionOptions } from './options.ts'
import type { PostgresResult, PostgresSql, PostgresValue } from './sql.ts'

/** One connection, while it is lent. */
export type Connection = PostgresSql & {
  /**
   * Rolls back what is open, and answers whether the session still answers. After an error that only ended a statement
   * it does: then nothing of its transaction was written.
   */
  readonly undo: () => Promise<boolean>
  /** Commits; false where the server has rolled back instead, since a statement had failed. */
  readonly commit: () => Promise<boolean>
}

/** A bounded number of connections, opened when needed. */
export type Connections = {
  /** Lends a connection for some work. If that throws, what it left open is rolled back; a dead session is closed. */
  readonly use: <A>(work: (connection: Connection) => Promise<A>) => Promise<A>
  readonly close: () => Promise<void>
}

/** Sets a session up, whatever the connection string, the role or the database say of these settings. */
export const settingsOf = ({ schema, timeouts, isolation }: ConnectionOptions): string =>
  `SET search_path = ${schema}, pg_temp; SET synchronous_commit = on; SET client_encoding = 'UTF8';
   SET statement_timeout = ${timeouts.statement}; SET lock_timeout = ${timeouts.lock};
   SET idle_in_transaction_session_timeout = ${timeouts.idleInTransaction}; SET default_transaction_isolation = '${isolation}'`

const failing = async <A>(answer: Promise<A>): Promise<A> => {
  try {
    return await answer
  } catch (cause) {
    throw new PostgresError(cause)
  }
}

const requireSession = (lost: unknown): void => {
  if (lost !== null) throw new PostgresError(lost, true)
}

/** Statements are prepared by name; equal texts share one. Texts are our own and few. */
const names = new Map<string, string>()
const nameOf = (text: string): string => {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `quittance_${names.size}`
  names.set(text, name)
  return name
}

/** `lost` is why the session has ended, if it has. */
const lent = (client: pg.ClientBase, lost: () => unknown): Connection => ({
  query: async (text: string, values: ReadonlyArray<PostgresValue> = []): Promise<PostgresResult> => {
    requireSession(lost())
    const answer = client.query({ name: nameOf(text), text, values: [...values] })
    const { rows, rowCount } = await failing(answer)
    return { rows, changes: rowCount ?? 0 }
  },
  execute: async (text) => {
    requireSession(lost())
    await failing(client.query(text))
  },
  commit: async () => {
    requireSession(lost())
    return (await failing(client.query('COMMIT'))).command === 'COMMIT'
  },
  undo: () =>
    client.query('ROLLBACK').then(
      () => true,
      () => false,
    ),
})

/** Opens connections when needed, at most `most` at once. Errors: `use` throws `PostgresError` where it cannot connect. */
export const connections = (options: ConnectionOptions, most: number): Connections => {
  const pool = new pg.Pool({
    ...configOf(options),
    max: most,
    idleTimeoutMillis: 0,
    onConnect: async (client: pg.ClientBase) => {
      await client.query(settingsOf(options))
    },
  })
  // An idle connection that the server ends leaves the pool. The next use opens another.
  pool.on('error', () => undefined)
  const inTurn = atMost(most)
  const lend = async <A>(work: (connection: Connection) => Promise<A>): Promise<A> => {
    const client = await failing(pool.connect())
    let lost: unknown = null
    const connection = lent(client, () => lost)
    const lose = (cause: unknown): void => {
      lost ??= cause
    }
    client.on('error', lose)
    let isSound = true
    try {
      return await work(connection)
    } catch (cause) {
      isSound = await connection.undo()
      throw cause
    } finally {
      client.off('error', lose)
      client.release(!isSound)
    }
  }
  return {
    // Whoever waits for a free connection does so here, where the time to connect does not run.
    use: (work) => inTurn(() => lend(work)),
    close: () => pool.end(),
  }
}
