// Apart from `connection.ts`, so that these types lead to none of the driver's.
import { requirePlainName } from './schema-name.ts'

/** How long the server and the connection may keep a call waiting, in milliseconds. */
export type Timeouts = {
  /** The longest statement, the wait for the lock included. */
  readonly statement: number
  /** The longest wait for the lock of another process. */
  readonly lock: number
  /** After this long without a statement, the server ends a transaction and its connection: a process may be paused. */
  readonly idleInTransaction: number
  /** The longest wait for a connection. */
  readonly connect: number
}

const usualTimeouts: Timeouts = { statement: 30_000, lock: 5_000, idleInTransaction: 10_000, connect: 10_000 }

/** Where a log is. */
export type PostgresLogOptions = {
  /** As libpq takes it, with `sslmode` and `sslrootcert` for TLS. */
  readonly connectionString: string
  /** The schema of the log's tables, made if missing: `quittance` by default. */
  readonly schema?: string
  /** In milliseconds. */
  readonly timeouts?: Partial<Timeouts>
}

/** The most connections that read at once, unless an option says otherwise. */
export const usualReaders = 4

export type ConnectionOptions = {
  readonly connectionString: string
  readonly schema: string
  readonly timeouts: Timeouts
  /** Of transactions that do not say theirs, and of statements without one. */
  readonly isolation: 'read committed' | 'serializable'
}

/** Errors: throws `RangeError` for a schema's name that would need quotes. */
export const connectionOptionsOf = ({ connectionString, schema, timeouts }: PostgresLogOptions): ConnectionOptions => {
  const name = schema ?? 'quittance'
  requirePlainName(name)
  return {
    connectionString,
    schema: name,
    timeouts: { ...usualTimeouts, ...timeouts },
    isolation: 'read committed',
  }
}
