import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { eventually } from '@quittance/http/testing/eventually'
import { underWay } from '@quittance/http/testing/renewal-kills/time'
import { ledgerIsIngested } from '@quittance/http/testing/sale'
import { openAsking } from './many-processes/asking.ts'
import { readBooks } from './many-processes/books.ts'
import { settle } from './many-processes/settle.ts'
import { halfADayMs, judge, onStage, openClients } from './many-processes/stage.ts'
import type { Benchmark } from './report.ts'
import { openProcesses, thisVersion, type Version } from './rolling-upgrade/processes.ts'

const members = 3
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
export const rollingUpgrade: Benchmark = (flags) => {
  const { other, betweenMs, ...wanted } = wantedIn(flags)
  return onStage(wanted, [], async (stage) => {
    const { dataDir, cluster, network, print, atEnd } = stage
    const databaseUrl = `postgres://quittance@127.0.0.1:${cluster.port}/postgres?sslmode=disable`
    const processes = openProcesses({ dataDir, databaseUrl, network })
    atEnd(() => processes.end())
    await processes.start('http', other)
    const asking = openAsking(processes.urls, processes.apiKey())
    for (const program of ['http', 'worker', 'worker'] as const) await processes.start(program, other)
    print('all processes of the other version are ready')
    const clients = await openClients(stage, asking, { seed: wanted.seed, failing: 0 })
    const { club, shop, gate, receiver } = clients
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
    const settled = await settle({ ...stage, ...clients, fleet: processes })
    await processes.end()
    const twice = [...receiver.arrived].flatMap(([id, times]) => (times > 1 ? [`${id} arrived ${times} times`] : []))
    return judge(stage, clients, settled, async () => ({ processes: processes.wrong, twice }), {
      seed: String(wanted.seed),
      'processes replaced': processes.replaced.length,
      'half days passed': half,
    })
  })
}
