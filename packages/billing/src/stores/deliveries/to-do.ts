import { mapProgram, type Sql, type SqlProgram } from '@quittance/event-store'
import * as t from 'io-ts'
import { query, write } from '../sql/query.ts'
import { type DeliveryList, deliveryList } from './deliveries.ts'
import { type EndpointList, endpointList } from './endpoints.ts'

/**
 * The deliveries to make, beside claims and cursors. They are not in the log, since they are made from the feed. All that it
 * does are programs for `sql`, so several changes can be one transaction.
 */
export interface ToDo {
  readonly sql: Sql
  readonly endpoints: EndpointList
  readonly deliveries: DeliveryList
  /** When this list began; a new one begins now. */
  readonly begunAt: (now: number) => SqlProgram<number>
  /** The last event that was read from the feed. */
  readonly lastLooked: SqlProgram<string | null>
  readonly looked: (lastEvent: string) => SqlProgram<void>
}

const lastLooked = query(t.strict({ id: t.string }), 'SELECT last_event AS id FROM webhook_feed').one()
const looked = write(
  'INSERT INTO webhook_feed VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET last_event = excluded.last_event',
)
const begin = write('INSERT INTO webhook_list VALUES (1, ?) ON CONFLICT DO NOTHING')
const begun = query(t.strict({ at: t.number }), 'SELECT begun_at AS at FROM webhook_list').one()

export const toDo = (sql: Sql): ToDo => ({
  sql,
  begunAt: (now) =>
    function* () {
      yield* begin(now)()
      return (yield* begun())?.at ?? now
    },
  endpoints: endpointList(sql.dialect),
  deliveries: deliveryList(sql.dialect),
  lastLooked: mapProgram(lastLooked, (found) => found?.id ?? null),
  looked,
})
