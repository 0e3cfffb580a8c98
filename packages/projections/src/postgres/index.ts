/**
 * The read models in the schema of a log on PostgreSQL: the same folds as on SQLite.
 *
 * @module @quittance/projections/postgres
 */

export type { Asynchronous } from './asynchronous.ts'
export type { PostgresReading } from './prepare.ts'
export { type PostgresReadModels, postgresProjections, postgresReadModels } from './read-models.ts'
export { type PostgresTable, postgresTable } from './table.ts'
export { postgresProjection } from './write-rows.ts'
