/**
 * The port of the append-only log, and how its events are sealed.
 *
 * @module @quittance/event-store
 */

export { canonicalJson } from './canonical.ts'
export { type StoredEvent, sealEvent } from './chain.ts'
export type { InlineProjection } from './inline-projection.ts'
export type {
  Alongside,
  Appended,
  AppendFailure,
  EventStore,
  Head,
  ReadFailure,
  ReadsByStream,
  StreamSlice,
} from './port.ts'
export { noEvents } from './port.ts'
export { brokenRecord } from './recorded-link.ts'
export type { SqlDatabase, SqlRow, SqlStatement, SqlValue } from './sql.ts'
export {
  changesOf,
  loneProgram,
  mapProgram,
  rowsOf,
  type Sql,
  type SqlAnswer,
  type SqlDialect,
  type SqlProgram,
  type SqlQuery,
  type SqlRun,
  type TransactionIsolation,
} from './sql-program.ts'
export type { Writability } from './writability.ts'
