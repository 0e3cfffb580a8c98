/**
 * The log in a schema of PostgreSQL.
 *
 * @module @quittance/event-store/postgres
 */

export { AlteredLog } from '../altered-log.ts'
export { NewerSchema } from '../newer-schema.ts'
export { isOfFailedTransaction, isOutsideWorld, isStoreFailure, PostgresError } from './failures.ts'
export { intoPostgres, type PostgresTarget } from './into-postgres.ts'
export { type PostgresLogReader, postgresLogReader } from './log-reader.ts'
export { inPostgresLog, type PostgresLogSession, type PostgresLogSql } from './log-session.ts'
export { textArray } from './names.ts'
export type { PostgresLogOptions } from './options.ts'
export type { ReleaseWatch } from './own-release.ts'
export { type PostgresPrograms, postgresPrograms } from './programs.ts'
export type { PostgresProjection } from './projection.ts'
export { type PostgresReader, type PostgresReaderOptions, postgresReader } from './reader.ts'
export { sentTogether } from './sent-together.ts'
export { openPostgresSchema, type PostgresSchema, type PostgresSchemaOptions } from './shared-schema.ts'
export type { PostgresResult, PostgresRow, PostgresSql, PostgresValue } from './sql.ts'
export {
  type PostgresEventStore,
  type PostgresEventStoreOptions,
  postgresEventStore,
} from './store.ts'
export { type Verification, verify } from './verify.ts'
export { probePostgres } from './write-probe.ts'
