import type { PostgresReader } from '@quittance/event-store/postgres'
import { bind, type Values } from '../compile.ts'
import { postgres } from '../dialect.ts'
import type { Reading } from '../reading.ts'

/** Reads the schema of a log. */
export const postgresReading = (reader: Pick<PostgresReader, 'query'>): Reading => ({
  dialect: postgres,
  prepare: (query) => {
    const all = async (values: Values) => (await reader.query(query.sql, bind(query, values))).rows
    return { all, get: async (values) => (await all(values))[0] }
  },
})
