import type { RecordedEvent } from '@quittance/domain'
import type { PostgresSql } from './sql.ts'

/**
 * A read model written in the append's own transaction, so that lists are never stale. No other projection of the schema
 * has its `name`. `create` makes its missing tables, and is called until they are there once for this version. `apply` gets all events of a commit at once, in order; if it throws,
 * the commit is undone, and only the appends whose own events make it throw are refused.
 */
export interface PostgresProjection {
  readonly name: string
  readonly version: number
  readonly create: (sql: PostgresSql) => Promise<void>
  readonly apply: (sql: PostgresSql, events: ReadonlyArray<RecordedEvent>) => Promise<void>
}
