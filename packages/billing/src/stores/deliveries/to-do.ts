import type { SqlDatabase } from '@quittance/event-store'
import { type DeliveryList, deliveryList } from './deliveries.ts'
import { type EndpointList, endpointList } from './endpoints.ts'
import { openDeliveryTables } from './schema.ts'
import { soonDurable } from './soon-durable.ts'

/**
 * What is to be delivered, in the file of claims and cursors: in no log, since it is made from the feed. Nothing here is
 * awaited, so several changes are one transaction.
 */
export interface ToDo {
  readonly endpoints: EndpointList
  readonly deliveries: DeliveryList
  /** When this list was begun: now, for a new one. */
  readonly begunAt: (now: number) => number
  /** The last event that anybody has looked for news behind. */
  readonly lastLooked: () => string | null
  readonly looked: (lastEvent: string) => void
  /** For what can be found out again by delivering: as `soonDurable` says. */
  readonly transaction: <A>(work: () => A) => A
  /** Within a transaction: what `work` throws undoes what it wrote, and nothing else of the transaction. */
  readonly part: <A>(work: () => A) => A
  /** For what somebody was promised. */
  readonly database: SqlDatabase
}

export const sqliteToDo = (database: SqlDatabase): ToDo => {
  openDeliveryTables(database)
  const lastLooked = database.prepare('SELECT last_event FROM webhook_feed')
  const looked = database.prepare('INSERT OR REPLACE INTO webhook_feed VALUES (1, ?)')
  const begin = database.prepare('INSERT OR IGNORE INTO webhook_list VALUES (1, ?)')
  const begun = database.prepare('SELECT begun_at FROM webhook_list')
  return {
    begunAt: (now) => {
      begin.run(now)
      return Number(begun.get()?.begun_at)
    },
    endpoints: endpointList(database),
    deliveries: deliveryList(database),
    lastLooked: () => {
      const row = lastLooked.get()
      return row === undefined ? null : String(row.last_event)
    },
    looked: (lastEvent) => void looked.run(lastEvent),
    transaction: soonDurable(database),
    part: database.transaction,
    database,
  }
}
