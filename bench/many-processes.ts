import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { randomFrom } from '@quittance/http/testing/random'
import { openAsking } from './many-processes/asking.ts'
import { injectFaults } from './many-processes/faults.ts'
import { startFleet } from './many-processes/fleet.ts'
import { startFollower } from './many-processes/follower.ts'
import { settle } from './many-processes/settle.ts'
import { halfADayMs, judge, onStage, openClients } from './many-processes/stage.ts'
import type { Benchmark } from './report.ts'

const membersAtFirst = 3
const betweenSkipsMs = 30_000
const failedDeliveries = 0.1

/**
 * `--minutes` (2) of work among faults, once all processes are ready, randomized by `--seed`, new by default, of
 * `--servers` (3) and `--workers` (3).
 */
const wantedIn = (flags: ReadonlyArray<string>) => {
  const text = { type: 'string' } as const
  const options = {
    minutes: text,
    seed: text,
    servers: text,
    workers: text,
    json: { type: 'boolean' },
  } as const
  const { values } = parseArgs({ args: [...flags], options })
  return {
    minutes: Number(values.minutes ?? 2),
    seed: Number(values.seed ?? Date.now() % 1_000_000),
    servers: Number(values.servers ?? 3),
    workers: Number(values.workers ?? 3),
    isQuiet: values.json === true,
  }
}

/**
 * Servers and workers in many processes on one PostgreSQL, while processes, connections and the server of the database fail.
 * Fails if the ledger, the log and what clients and webhooks were told disagree in the end.
 */
export const manyProcesses: Benchmark = (flags) => {
  const { minutes, servers, workers, ...wanted } = wantedIn(flags)
  return onStage(wanted, ['max_connections = 300'], async (stage) => {
    const { dataDir, cluster, network, print, atEnd } = stage
    const { seed } = wanted
    const fleet = await startFleet({ dataDir, cluster, network }, { servers, workers })
    atEnd(() => fleet.end())
    print('all processes are ready')
    const asking = openAsking(fleet.urls, fleet.apiKey)
    const follower = await startFollower(cluster.connectionString)
    atEnd(() => follower.stop())
    const clients = await openClients(stage, asking, { seed, failing: failedDeliveries })
    const { club, shop, gate } = clients

    const over = AbortSignal.timeout(minutes * 60_000)
    const isOver = (): boolean => over.aborted
    const working = shop.work(isOver, gate.pass)
    const faults = injectFaults(fleet, cluster, randomFrom(seed), shop.completed, over, print)
    const passing = (async () => {
      let [halves, joined] = [0, 0]
      while (joined < membersAtFirst) await gate.pass(() => club.join(++joined))
      while (!isOver()) {
        await pause(betweenSkipsMs, undefined, { signal: over }).catch(() => undefined)
        if (isOver()) break
        await gate.whileClosed(() => network.skipTo(halfADayMs))
        print(`half a day passes: ${shop.orders.length} sales, ${club.members.length} members`)
        halves += 1
        await gate.pass(() => club.join(++joined))
      }
      return halves
    })()
    const counts = await faults
    print('the faults are over')
    await fleet.allReady()
    await working
    const halves = await passing
    print('clients have ended')
    const settled = await settle({ ...stage, ...clients, fleet })
    await fleet.end()
    const disturbed = cluster.disturbed()
    const followed = async ({ rows }: { readonly rows: ReadonlyArray<{ readonly id: string }> }) => {
      await follower.reaches(rows.length)
      await follower.stop()
      const unseen = rows.flatMap(({ id }, index) => (follower.ids[index] === id ? [] : [`event ${index + 1}`]))
      return { processes: fleet.wrong, follower: [...follower.wrong, ...unseen] }
    }
    return judge(stage, clients, settled, followed, {
      seed: String(seed),
      minutes,
      'half days passed': halves,
      'transactions disturbed': disturbed,
      ...fleet.counts,
      ...Object.fromEntries(Object.entries(counts).map(([kind, count]) => [`fault: ${kind}`, count])),
    })
  })
}
