import { connections } from './connection.ts'
import { connectionOptionsOf, type PostgresLogOptions, usualReaders } from './options.ts'
import type { PostgresSql } from './sql.ts'

/** Reads the schema of a log outside of appends, such as read models. */
export type PostgresReader = Pick<PostgresSql, 'query'> & { readonly close: () => Promise<void> }

/** How a reader is opened. */
export type PostgresReaderOptions = PostgresLogOptions & {
  /** The most connections that read at once. */
  readonly readers?: number
}

/** Opens connections when needed. Errors: throws `RangeError` for a schema's name; a query throws `PostgresError`. */
export const postgresReader = (options: PostgresReaderOptions): PostgresReader => {
  const { use, close } = connections(connectionOptionsOf(options), options.readers ?? usualReaders)
  return { query: (text, values) => use((sql) => sql.query(text, values)), close }
}
