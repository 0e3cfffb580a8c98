import { statSync } from 'node:fs'
import { buildProjections, sqliteEventStore } from '@quittance/event-store/sqlite'
import { inlineProjections } from '@quittance/projections'
import { openDeliveries } from './deliveries.ts'
import { firstFresh } from './names.ts'
import { type Counts, none, openShop } from './shop.ts'

/**
 * A file with a log, all its read models and its deliveries. Its history has stretches that differ in their names alone, with so much in each;
 * `fresh` is what was added while it was measured.
 */
export type Log = {
  readonly path: string
  readonly events: number
  readonly stretches: number
  readonly inStretch: Counts
  readonly fresh: Counts & { readonly deliveries: number }
}

/** As `npm start` opens its file: with all read models, each commit durable. */
export const openLog = (log: Log) => {
  const { path, fresh } = log
  const store = sqliteEventStore({ path, clock: Date.now, projections: inlineProjections })
  const shop = openShop(store, firstFresh, fresh)
  const deliveries = openDeliveries(store, firstFresh + fresh.deliveries)
  /** Closes the file, and answers what it holds by now. */
  const close = (): Log => {
    const events = Number(store.logHead().position)
    store.close()
    return { ...log, events, fresh: { ...shop.counts(), deliveries: deliveries.listed() - firstFresh } }
  }
  return { log, store, shop, deliveries, close }
}
export type OpenLog = ReturnType<typeof openLog>

/**
 * Writes a stretch of history to a new file. Its read models are written with each append, as a service does, or built at once afterwards.
 * Each payment was delivered to an endpoint.
 */
export const writeStretch = async (
  path: string,
  events: number,
  models: 'with appends' | 'afterwards',
): Promise<Log> => {
  const projections = models === 'afterwards' ? [] : inlineProjections
  const durability = 'relaxedLosesCommitsOnPowerLoss'
  const store = sqliteEventStore({ path, clock: Date.now, projections, durability })
  const shop = openShop(store, 0, none)
  while (store.logHead().position < events) await shop.step()
  const written = Number(store.logHead().position)
  store.close()
  await buildProjections(path, inlineProjections)
  const log = { path, events: written, stretches: 1, inStretch: shop.counts(), fresh: { ...none, deliveries: 0 } }
  await deliverAll(log)
  return log
}

const deliverAll = async ({ path, inStretch: { sales, renewals } }: Log): Promise<void> => {
  const store = sqliteEventStore({ path, clock: Date.now, projections: inlineProjections })
  const deliveries = openDeliveries(store, 0)
  await deliveries.enrol()
  while (deliveries.listed() < sales + renewals) await deliveries.deliver()
  store.close()
}

export const bytesOf = ({ path }: Log): number => statSync(path).size
