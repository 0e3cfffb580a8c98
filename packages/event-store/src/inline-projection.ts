import type { RecordedEvent } from '@quittance/domain'
import type { SqlDatabase } from './sql.ts'

/**
 * A read model that is written in the transaction of the append itself, so that lists are never stale.
 * `create` makes its tables where they are missing; `prepare` is called once for each connection.
 * When the returned function throws, that append alone is refused.
 */
export interface InlineProjection {
  readonly name: string
  readonly version: number
  readonly create: (sql: SqlDatabase) => void
  readonly prepare: (sql: SqlDatabase) => (event: RecordedEvent) => void
}
