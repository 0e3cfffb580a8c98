/**
 * The read models in the schema of a log on PostgreSQL: the same folds and queries as on SQLite.
 *
 * @module @quittance/projections/postgres
 */

export { postgresLiveRows } from './live-rows.ts'
export { postgresProjections } from './projections.ts'
export { postgresProjector } from './projector.ts'
export { postgresReading } from './reading.ts'
export { type PostgresRebuildFailure, type PostgresRebuilding, postgresRebuild } from './rebuild.ts'
export { type PostgresRowWriter, postgresProjection, postgresRowWriter } from './write-rows.ts'
