import { statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { noEvents } from '@quittance/event-store'
import { type SqliteEventStore, sqliteEventStore } from '@quittance/event-store/sqlite'
import { inlineProjections, readModels, sqliteReading } from '@quittance/projections'
import { type Benchmark, median, type Report } from './report.ts'
import { saleOf } from './sales.ts'
import { sampleContext } from './sample-events.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const rounds = 7
const smallest = 10_000
const eventsPerSale = 9
const salesAtOnce = 250
const appendsOfOne = 200
const appendsOfMany = 64
const asked = 2_000

type Log = ReturnType<typeof openLog>
/** A log with all read models, and what is done with it. Sales are paid: nine events in two streams. */
const openLog = (path: string) => {
  const store: SqliteEventStore = sqliteEventStore({ path, clock: Date.now, projections: inlineProjections })
  const { payments } = readModels(sqliteReading(store.reader))
  let sales = 0
  /** Appends new sales, each in two appends, side by side. */
  const sell = async (count: number): Promise<void> => {
    const fresh = Array.from({ length: count }, (_, n) => saleOf(sales + n)).flat()
    const appended = await Promise.all(fresh.map(({ stream, events }) => store.append(stream, noEvents, events)()))
    for (const each of appended) if (each._tag === 'Left') throw new Error(each.left._tag)
    sales += count
  }
  const anySale = () => Math.floor(Math.random() * sales)
  const idOf = (n: number) => n.toString(36).padStart(22, '0')
  return {
    fill: async (events: number): Promise<void> => {
      while (sales * eventsPerSale < events) await sell(salesAtOnce)
    },
    work: {
      'sales by one caller': async () => {
        for (let n = 0; n < appendsOfOne; n += 1) await sell(1)
        return appendsOfOne
      },
      'sales by 64 callers': async () => {
        for (let n = 0; n < 6; n += 1) await sell(appendsOfMany)
        return 6 * appendsOfMany
      },
      'loads of any stream': async () => {
        for (let n = 0; n < asked; n += 1) {
          const read = await store.readStream(`checkout-chk_${idOf(anySale())}`)()
          if (read._tag === 'Left') throw new Error(read.left._tag)
        }
        return asked
      },
      'payments by id': async () => {
        for (let n = 0; n < asked; n += 1)
          if ((await payments.withId(`pay_${idOf(anySale())}`)) === null) throw new Error('a payment is missing')
        return asked
      },
      'pages of payments': async () => {
        const { merchantId, environment } = sampleContext(0)
        for (let n = 0; n < asked / 20; n += 1)
          await payments.page({ merchantId, environment, limit: 20, startingAfter: `pay_${idOf(anySale())}` })
        return asked / 20
      },
    },
    close: store.close,
  }
}

/** What is done a second. */
const rateOf = async (work: () => Promise<number>): Promise<number> => {
  const startedAt = performance.now()
  const done = await work()
  return (done * 1_000) / (performance.now() - startedAt)
}

const kinds = [
  'sales by one caller',
  'sales by 64 callers',
  'loads of any stream',
  'payments by id',
  'pages of payments',
] as const

/**
 * What a log with all its read models does a second, at `--events` (100000,1000000), beside one of 10,000 events in the same run.
 * Rounds alternate; a ratio is the median of its rounds. A million events take a minute or two to write.
 */
export const growth: Benchmark = (flags) =>
  inTemporaryFolder(async (folder) => {
    const options = { events: { type: 'string', default: '100000,1000000' }, json: { type: 'boolean' } } as const
    const sizes = parseArgs({ args: [...flags], options })
      .values.events.split(',')
      .map(Number)
    const report: Record<string, Report[string]> = {}
    const small: Log = openLog(join(folder, 'small.db'))
    await small.fill(smallest)
    const path = join(folder, 'large.db')
    const large: Log = openLog(path)
    for (const size of sizes) {
      const at = `at ${size.toLocaleString('en')} events`
      await large.fill(size)
      for (const kind of kinds) {
        const pairs: Array<{ readonly one: number; readonly other: number }> = []
        for (let round = 0; round <= rounds; round += 1) {
          const pair = { one: await rateOf(large.work[kind]), other: await rateOf(small.work[kind]) }
          if (round > 0) pairs.push(pair)
        }
        report[`${kind} a second, ${at}`] = median(pairs.map(({ one }) => one))
        report[`${kind}, % of those at 10,000, ${at}`] = 100 * median(pairs.map(({ one, other }) => one / other))
      }
      report[`file in MiB, ${at}`] = statSync(path).size / 2 ** 20
      report[`memory in MiB, ${at}`] = process.memoryUsage.rss() / 2 ** 20
    }
    small.close()
    large.close()
    return report
  })
