import type { RecordedEvent } from '@quittance/domain'
import type { SqlDatabase } from './sql.ts'

/**
 * A read model written in the append's own transaction, so that lists are never stale.
 * No other projection of the file has its `name`. `create` makes its missing tables; `prepare` is called once per connection.
 * If the returned function throws, only that append is refused.
 */
export interface InlineProjection {
  readonly name: string
  readonly version: number
  readonly create: (sql: SqlDatabase) => void
  readonly prepare: (sql: SqlDatabase) => (event: RecordedEvent) => void
  /**
   * As `prepare`, for what takes many events in their order at once, such as those of a commit or a catch-up, and leaves the same
   * rows. Without it each event is applied by itself.
   */
  readonly prepareMany?: (sql: SqlDatabase) => (events: ReadonlyArray<RecordedEvent>) => void
}
