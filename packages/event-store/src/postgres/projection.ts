import type { RecordedEvent } from '@quittance/domain'
import type { PostgresSql } from './sql.ts'

/**
 * A read model written in the append's own transaction, so that lists are never stale. No other projection of the schema
 * has its `name`. `create` makes its missing tables. `apply` gets all events of a commit at once, in order; if it throws,
 * the commit is undone, and only the appends whose own events make it throw are refused.
 */
export interface PostgresProjection {
  readonly name: string
  readonly version: number
  readonly create: (sql: PostgresSql) => Promise<void>
  readonly apply: (sql: PostgresSql, events: ReadonlyArray<RecordedEvent>) => Promise<void>
}

/**
 * A write that is atomic with an append, such as an idempotency claim. It runs in the append's transaction, before
 * projections see the events; if it throws, the append is refused and nothing is written. It holds up all other appends,
 * and runs again where another append of its commit is refused.
 */
export type PostgresAlongside = (sql: PostgresSql) => Promise<void>
