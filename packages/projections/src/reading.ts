import type { SqlDatabase } from '@quittance/event-store'
import type { CompiledQuery } from 'kysely'
import { prepare, type Values } from './compile.ts'
import { type Dialect, sqlite } from './dialect.ts'
import type { StoredRow } from './table-rows.ts'

/** A query whose values are given at each run. */
export type Query = {
  readonly get: (values: Values) => Promise<StoredRow | undefined>
  readonly all: (values: Values) => Promise<ReadonlyArray<StoredRow>>
}

/**
 * What reads the tables of read models. Each run sees what is committed when it is asked for, so an answer of several
 * queries may see more at the later ones.
 */
export interface Reading {
  readonly dialect: Dialect
  readonly prepare: (query: CompiledQuery) => Query
}

/**
 * Reads by a connection to SQLite. A query runs while it is called: those that are called without waiting in between see
 * the same commits of this process.
 */
export const sqliteReading = (database: SqlDatabase): Reading => ({
  dialect: sqlite,
  prepare: (query) => {
    const { get, all } = prepare(database, query)
    return { get: async (values) => get(values), all: async (values) => all(values) }
  },
})
