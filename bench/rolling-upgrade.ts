import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startCluster } from '@quittance/event-store/postgres/testing/cluster'
import { eventually } from '@quittance/http/testing/eventually'
import { openLastingNetwork } from '@quittance/http/testing/kills/lasting-network'
import { randomFrom } from '@quittance/http/testing/random'
import { underWay } from '@quittance/http/testing/renewal-kills/time'
import { ledgerIsIngested } from '@quittance/http/testing/sale'
import { fundedWallet } from '@quittance/http/testing/wallet'
import { startFailingReceiver } from './failing-receiver.ts'
import { openAsking } from './many-processes/asking.ts'
import { readBooks } from './many-processes/books.ts'
import { openGate } from './many-processes/gate.ts'
import { settle } from './many-processes/settle.ts'
import { openShop } from './many-processes/shop.ts'
import { openClub } from './many-processes/subscribers.ts'
import { judgeBooks } from './many-processes/verdict.ts'
import type { Benchmark } from './report.ts'
import { openProcesses, thisVersion, type Version } from './rolling-upgrade/processes.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const payers = 4
const members = 3
const shownWrong = 10
const halfADayMs = 12 * 60 * 60_000
/** A transaction that no ledger takes dies after 150 s. */
const settledWithinMs = 200_000

/** `--other` is the folder of a checkout of another version, with its dependencies; `--seed`, `--seconds` between steps. */
const wantedIn = (flags: ReadonlyArray<string>) => {
  const text = { type: 'string' } as const
  const options = { other: text, seed: text, seconds: text, json: { type: 'boolean' } } as const
  const { other, seed, seconds, json } = parseArgs({ args: [...flags], options }).values
  if (other === undefined) throw new Error('--other is the folder of a checkout of another version')
  return {
    other: { name: 'the other version', folder: resolve(other) } satisfies Version,
    seed: Number(seed ?? Date.now() % 1_000_000),
    betweenMs: Number(seconds ?? 3) * 1_000,
    isQuiet: json === true,
  }
}

/**
 * Two servers and two workers of another version on one PostgreSQL become those of this one, one process at a time; then back, and
 * forward again. Meanwhile clients buy, renew and ask for refunds. Fails if the ledger, the log and what clients and webhooks
 * were told disagree in the end, or if a process does not end in order.
 */
export const rollingUpgrade: Benchmark = (flags) =>
  inTemporaryFolder(async (folder) => {
    const { other, seed, betweenMs, isQuiet } = wantedIn(flags)
    process.stdout.write(`seed ${seed}\n`)
    const startedAt = performance.now()
    const print = (line: string): void => {
      if (!isQuiet)
        process.stdout.write(`${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(7)} ${line}\n`)
    }
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    const cluster = await startCluster()
    const network = await openLastingNetwork(dataDir, () => false)
    const ending: Array<() => unknown> = [() => cluster.remove(), () => network.close()]
    try {
      const databaseUrl = `postgres://quittance@127.0.0.1:${cluster.port}/postgres?sslmode=disable`
      const processes = openProcesses({ dataDir, databaseUrl, network })
      ending.push(() => processes.end())
      await processes.start('http', other)
      const asking = openAsking(processes.urls, processes.apiKey())
      for (const program of ['http', 'worker', 'worker'] as const) await processes.start(program, other)
      print('all processes of the other version are ready')
      const receiver = await startFailingReceiver(randomFrom(seed + 1), 0)
      ending.push(() => receiver.stop())
      const hook = { name: 'All', url: receiver.url, events: ['*'] }
      receiver.verifyWith((await asking.insist('/webhooks', { body: hook, key: 'hook' })).body.data.secret)
      const club = await openClub(asking, network)
      const wallets = await Promise.all(Array.from({ length: payers }, () => fundedWallet(network.facts)))
      const shop = openShop(asking, network, randomFrom(seed + 2), wallets)
      const gate = openGate()
      let isOver = false
      const working = shop.work(() => isOver, gate.pass)
      for (let number = 1; number <= members; number++) await gate.pass(() => club.join(number))

      let half = 0
      const between = async (): Promise<void> => {
        await pause(betweenMs)
        half += 1
        await gate.whileClosed(async () => {
          // Else the period of a charge that is due may be over before any worker has looked.
          for (const url of processes.urls()) await ledgerIsIngested({ url })
          await eventually(
            async () => underWay(await readBooks(cluster)),
            (left) => left === 0,
            settledWithinMs,
          )
          await network.skipTo(halfADayMs)
        })
        await pause(betweenMs)
      }
      for (const to of [thisVersion, other, thisVersion]) {
        await processes.roll(to, between)
        print(`all processes are of ${to.name}: ${shop.completed()} sales, ${half} half days`)
      }
      isOver = true
      await working
      print('clients have ended')
      const settled = await settle({ fleet: processes, cluster, network, asking, shop, receiver, dataDir, print })
      await processes.end()
      const books = await readBooks(cluster)
      const { wrong, figures } = await judgeBooks(network, books, {
        account: shop.account(),
        orders: shop.orders,
        wanted: shop.wanted,
        refunds: settled.refunds,
      })
      const twice = [...receiver.arrived].flatMap(([id, times]) => (times > 1 ? [`${id} arrived ${times} times`] : []))
      const found = Object.entries({
        ...wrong,
        ...settled.wrong,
        answers: asking.wrong,
        shop: shop.wrong,
        members: club.wrong,
        processes: processes.wrong,
        webhooks: receiver.wrong,
        twice,
      })
      for (const [rule, each] of found)
        for (const words of each.slice(0, shownWrong)) process.stdout.write(`${rule}: ${words}\n`)
      if (found.some(([, each]) => each.length > 0)) process.exitCode = 1
      return {
        seed: String(seed),
        seconds: (performance.now() - startedAt) / 1_000,
        ...figures,
        'processes replaced': processes.replaced.length,
        'half days passed': half,
        'members joined': club.members.length,
        'webhooks received': receiver.arrived.size,
        'webhook attempts': receiver.counts.attempts,
        'webhooks published': settled.published,
        ...asking.figures(),
        ...Object.fromEntries(found.map(([rule, each]) => [`wrong: ${rule}`, each.length])),
      }
    } finally {
      for (const end of ending.toReversed()) await end()
    }
  })
