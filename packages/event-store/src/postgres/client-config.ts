// Apart from `connection.ts`, so that the types of that lead to none of the driver's.
import pg from 'pg'
import type { ConnectionOptions } from './options.ts'

/** Beyond the server's own limit for a statement: then the server or the network is gone. */
const silenceMs = 5_000

const int8 = 20
const parserOf = (oid: number, format?: 'text' | 'binary') =>
  oid === int8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format)

export const configOf = ({ connectionString, timeouts }: ConnectionOptions): pg.ClientConfig => ({
  connectionString,
  application_name: 'quittance',
  connectionTimeoutMillis: timeouts.connect,
  query_timeout: timeouts.statement + silenceMs,
  keepAlive: true,
  // Statements are sent without awaiting the answer to the one before.
  pipeline: true,
  types: { getTypeParser: parserOf },
})
