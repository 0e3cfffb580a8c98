import { noEvents } from '@quittance/event-store'
import { sqliteEventStore } from '@quittance/event-store/sqlite'
import { saleOf } from './sales.ts'

const salesAtOnce = 250

/** Writes a log of paid sales, one append per stream: `node bench/write-sales.ts <file> <sales>`. */
const [path = '', sales = ''] = process.argv.slice(2)
const store = sqliteEventStore({ path, clock: Date.now, projections: [] })
for (let first = 0; first < Number(sales); first += salesAtOnce) {
  const streams = Array.from({ length: salesAtOnce }, (_, n) => saleOf(first + n)).flat()
  await Promise.all(streams.map(({ stream, events }) => store.append(stream, noEvents, events)()))
}
store.close()
