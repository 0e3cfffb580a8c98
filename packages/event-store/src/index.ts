export type { InlineProjection } from './inline-projection.ts'
export type {
  Alongside,
  Appended,
  AppendFailure,
  Direction,
  EventStore,
  Filter,
  Head,
  ReadFailure,
  StreamSlice,
} from './port.ts'
export { noEvents } from './port.ts'
export { brokenRecord } from './recorded-link.ts'
export type { SqlDatabase, SqlRow, SqlStatement, SqlValue } from './sql.ts'
