import type { PostgresReader, PostgresRow } from '@quittance/event-store/postgres'
import type { Compilable, CompiledQuery } from 'kysely'
import { bind, type Values } from '../compile.ts'

/** What reads the tables. Each call may see a later state than the one before. */
export type PostgresReading = Pick<PostgresReader, 'query'>

/** A query that is compiled once. */
export type Prepared = {
  readonly get: (values: Values) => Promise<PostgresRow | undefined>
  readonly all: (values: Values) => Promise<ReadonlyArray<PostgresRow>>
}

export const prepare = (reading: PostgresReading, query: Compilable | CompiledQuery): Prepared => {
  const compiled = 'compile' in query ? query.compile() : query
  const all = async (values: Values) => (await reading.query(compiled.sql, bind(compiled, values))).rows
  return { all, get: async (values) => (await all(values))[0] }
}
