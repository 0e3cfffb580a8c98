import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startCluster } from '@quittance/event-store/postgres/testing/cluster'
import { openLastingNetwork } from '@quittance/http/testing/kills/lasting-network'
import { randomFrom } from '@quittance/http/testing/random'
import { fundedWallet } from '@quittance/http/testing/wallet'
import { startFailingReceiver } from './failing-receiver.ts'
import { openAsking } from './many-processes/asking.ts'
import { readBooks } from './many-processes/books.ts'
import { injectFaults } from './many-processes/faults.ts'
import { startFleet } from './many-processes/fleet.ts'
import { startFollower } from './many-processes/follower.ts'
import { openGate } from './many-processes/gate.ts'
import { settle } from './many-processes/settle.ts'
import { openShop } from './many-processes/shop.ts'
import { openClub } from './many-processes/subscribers.ts'
import { judgeBooks } from './many-processes/verdict.ts'
import type { Benchmark } from './report.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const shownWrong = 10
const payers = 4
const membersAtFirst = 3
const betweenSkipsMs = 30_000
const halfADayMs = 12 * 60 * 60_000
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
export const manyProcesses: Benchmark = (flags) =>
  inTemporaryFolder(async (folder) => {
    const { minutes, seed, servers, workers, isQuiet } = wantedIn(flags)
    process.stdout.write(`seed ${seed}\n`)
    const startedAt = performance.now()
    const print = (line: string): void => {
      if (!isQuiet)
        process.stdout.write(`${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(7)} ${line}\n`)
    }
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    const cluster = await startCluster(['max_connections = 300'])
    const network = await openLastingNetwork(dataDir, () => false)
    const ending: Array<() => unknown> = [() => cluster.remove(), () => network.close()]
    try {
      const fleet = await startFleet({ dataDir, cluster, network }, { servers, workers })
      ending.push(() => fleet.end())
      print('all processes are ready')
      const asking = openAsking(fleet.urls, fleet.apiKey)
      const receiver = await startFailingReceiver(randomFrom(seed + 1), failedDeliveries)
      ending.push(() => receiver.stop())
      const hook = { name: 'All', url: receiver.url, events: ['*'] }
      receiver.verifyWith((await asking.insist('/webhooks', { body: hook, key: 'hook' })).body.data.secret)
      const follower = await startFollower(cluster.connectionString)
      ending.push(() => follower.stop())
      const club = await openClub(asking, network)
      const wallets = await Promise.all(Array.from({ length: payers }, () => fundedWallet(network.facts)))
      const shop = openShop(asking, network, randomFrom(seed + 2), wallets)
      const gate = openGate()

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
      const settled = await settle({ fleet, cluster, network, asking, shop, receiver, dataDir, print })
      await fleet.end()
      const disturbed = cluster.disturbed()
      const books = await readBooks(cluster)
      await follower.reaches(books.rows.length)
      await follower.stop()
      const { wrong, figures } = await judgeBooks(network, books, {
        account: shop.account(),
        orders: shop.orders,
        wanted: shop.wanted,
        refunds: settled.refunds,
      })
      const unseen = books.rows.flatMap(({ id }, index) => (follower.ids[index] === id ? [] : [`event ${index + 1}`]))
      const found = Object.entries({
        ...wrong,
        ...settled.wrong,
        answers: asking.wrong,
        shop: shop.wrong,
        members: club.wrong,
        processes: fleet.wrong,
        follower: [...follower.wrong, ...unseen],
        webhooks: receiver.wrong,
      })
      for (const [rule, each] of found)
        for (const words of each.slice(0, shownWrong)) process.stdout.write(`${rule}: ${words}\n`)
      if (found.some(([, each]) => each.length > 0)) process.exitCode = 1
      return {
        seed: String(seed),
        minutes,
        seconds: (performance.now() - startedAt) / 1_000,
        ...figures,
        'half days passed': halves,
        'members joined': club.members.length,
        'webhooks received': receiver.arrived.size,
        'webhook attempts': receiver.counts.attempts,
        'webhooks published': settled.published,
        'transactions disturbed': disturbed,
        ...fleet.counts,
        ...Object.fromEntries(Object.entries(counts).map(([kind, count]) => [`fault: ${kind}`, count])),
        ...asking.figures(),
        ...Object.fromEntries(found.map(([rule, each]) => [`wrong: ${rule}`, each.length])),
      }
    } finally {
      for (const end of ending.toReversed()) await end()
    }
  })
