import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { microsSince } from '../metered-network.ts'
import { dueAtOf, dueInAnHour, isPoor, numbersOf } from './day-plan.ts'
import type { DayShop } from './day-shop.ts'
import type { Hour } from './results.ts'

const mostLedgers = 1_000
const secondMs = 1_000
const rounded = (value: number): number => Math.round(value * 100) / 100
const megabytesOf = (path: string): number => (existsSync(path) ? rounded(statSync(path).size / 1e6) : 0)

/** What the log says of charges, read on from where it was read last. */
const openTally = ({ reader }: Pick<DayShop, 'reader'>) => {
  const rows = reader.prepare(
    `SELECT position, stream, type, data ->> 'ledger' AS ledger FROM events
     WHERE position > ? AND type IN ('ChargeConfirmed', 'ChargeFailed') ORDER BY position`,
  )
  const end = reader.prepare('SELECT max(position) AS position FROM events')
  const endOf = (): number => Number(end.get()?.position)
  let reached = endOf()
  const [paid, failed] = [new Set<string>(), new Set<string>()]
  let [failures, ledgers] = [0, new Set<number>()]
  return {
    events: endOf,
    read: (): void => {
      for (const { position, stream, type, ledger } of rows.all(reached)) {
        reached = Number(position)
        if (type === 'ChargeConfirmed') {
          paid.add(String(stream))
          ledgers.add(Number(ledger))
        } else {
          failed.add(String(stream))
          failures += 1
        }
      }
    },
    /** Subscriptions that have paid, or failed to, at least once. */
    sizes: () => ({ paid: paid.size, failed: failed.size }),
    take: () => {
      const taken = { failures, ledgers: ledgers.size }
      failures = 0
      ledgers = new Set()
      return taken
    },
  }
}

/** Lets the hours pass. The clock goes on by five seconds a ledger until all that is due is decided, and then to the next hour. */
export const passHours = async (shop: DayShop, report: (hour: Hour) => void): Promise<ReadonlyArray<Hour>> => {
  const { folder, plan, network, club, step } = shop
  const tally = openTally(shop)
  const beganAt = performance.now()
  const hours: Array<Hour> = []
  for (let hour = 0; hour < plan.hours; hour += 1) {
    const startedAt = performance.now()
    if (startedAt - beganAt > plan.limitMinutes * 60_000) break
    const before = { ...tally.sizes(), micros: microsSince(), network: network.micros() }
    const poor = numbersOf(plan, hour).filter((number) => isPoor(plan, number)).length
    const rich = dueInAnHour(plan) - poor
    network.close(dueAtOf(club, hour) + secondMs - network.now())
    const isDecided = ({ paid, failed } = tally.sizes()): boolean =>
      paid - before.paid >= rich && failed - before.failed >= poor
    for (let ledger = 0; !isDecided(); ledger += 1) {
      if (ledger === mostLedgers) throw new Error(`hour ${hour + 1} does not end: ${JSON.stringify(tally.sizes())}`)
      await step()
      network.close()
      tally.read()
    }
    await step()
    const networkMicros = network.micros() - before.network
    const ours = microsSince() - before.micros - networkMicros
    const { paid, failed } = tally.sizes()
    const done: Hour = {
      hour: hour + 1,
      paid: paid - before.paid,
      failed: failed - before.failed,
      ...tally.take(),
      processorMsEach: rounded(ours / 1_000 / dueInAnHour(plan)),
      networkMsEach: rounded(networkMicros / 1_000 / dueInAnHour(plan)),
      seconds: rounded((performance.now() - startedAt) / 1_000),
      residentMb: rounded(process.memoryUsage.rss() / 1e6),
      heapMb: rounded(process.memoryUsage().heapUsed / 1e6),
      events: tally.events(),
      logMb: megabytesOf(join(folder, 'log')),
      walMb: megabytesOf(join(folder, 'log-wal')),
    }
    hours.push(done)
    report(done)
  }
  return hours
}
