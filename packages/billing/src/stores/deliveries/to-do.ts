import type { SqlDatabase } from '@quittance/event-store'
import { type DeliveryList, deliveryList } from './deliveries.ts'
import { type EndpointList, endpointList } from './endpoints.ts'
import { openDeliveryTables } from './schema.ts'
import { soonDurable } from './soon-durable.ts'

/**
 * The deliveries to make, in the file of claims and cursors. They are not in the log, since they are made from the feed.
 * Nothing here is awaited, so several changes can be one transaction.
 */
export interface ToDo {
  readonly endpoints: EndpointList
  readonly deliveries: DeliveryList
  /** When this list began; a new one begins now. */
  readonly begunAt: (now: number) => number
  /** The last event that was read from the feed. */
  readonly lastLooked: () => string | null
  readonly looked: (lastEvent: string) => void
  /** For results that can be found again by delivering: see `soonDurable`. */
  readonly transaction: <A>(work: () => A) => A
  /** Within a transaction: if `work` throws, only its own writes are undone. */
  readonly part: <A>(work: () => A) => A
  /** For writes that a caller relies on. */
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
