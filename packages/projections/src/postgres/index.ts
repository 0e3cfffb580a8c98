/**
 * The read models in the schema of a log on PostgreSQL: the same folds and queries as on SQLite.
 *
 * @module @quittance/projections/postgres
 */

export { postgresProjections } from './projections.ts'
export { postgresReading } from './reading.ts'
export { postgresProjection } from './write-rows.ts'
