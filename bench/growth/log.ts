import { statSync } from 'node:fs'
import { buildProjections, sqliteEventStore } from '@quittance/event-store/sqlite'
import { inlineProjections } from '@quittance/projections'
import { openDeliveries } from './deliveries.ts'
import { type Extent, nothingYet, openShop } from './shop.ts'

/** A file with a log, all its read models and its deliveries, and how much of each there is. */
export type Log = { readonly path: string; readonly extent: Extent; readonly deliveries: number }

export const newLog = (path: string): Log => ({ path, extent: nothingYet, deliveries: 0 })

/** As `npm start` opens its file: with all read models, each commit durable. */
export const openLog = ({ path, extent, deliveries: listed }: Log) => {
  const store = sqliteEventStore({ path, clock: Date.now, projections: inlineProjections })
  const shop = openShop(store, extent)
  const deliveries = openDeliveries(store, listed)
  /** Closes the file, and answers what it holds by now. */
  const close = (): Log => {
    store.close()
    return { path, extent: shop.extent(), deliveries: deliveries.listed() }
  }
  return { store, shop, deliveries, close }
}
export type OpenLog = ReturnType<typeof openLog>

/** A log grows without read models, which are then built at once. Each payment was delivered to an endpoint. */
export const fill = async (log: Log, events: number): Promise<Log> => {
  const { path } = log
  const durability = 'relaxedLosesCommitsOnPowerLoss'
  const store = sqliteEventStore({ path, clock: Date.now, projections: [], durability })
  const shop = openShop(store, log.extent)
  while (shop.extent().events < events) await shop.step()
  store.close()
  await buildProjections(path, inlineProjections)
  return deliverAll({ ...log, extent: shop.extent() })
}

/** The same, with the read models written in the transaction of each append, as a service does. */
export const fillInline = async (log: Log, events: number): Promise<Log> => {
  const { shop, close } = openLog(log)
  while (shop.extent().events < events) await shop.step()
  return deliverAll(close())
}

const deliverAll = async (log: Log): Promise<Log> => {
  const { shop, deliveries, close } = openLog(log)
  if (log.deliveries === 0) await deliveries.enrol()
  const { sales, renewals } = shop.extent()
  while (deliveries.listed() < sales + renewals) await deliveries.deliver()
  return close()
}

export const bytesOf = ({ path }: Log): number => statSync(path).size
