import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Cluster, startCluster } from '@quittance/event-store/postgres/testing/cluster'
import type { Environment } from '@quittance/http/testing/child-process'
import { type LastingNetwork, openLastingNetwork } from '@quittance/http/testing/kills/lasting-network'
import { randomFrom } from '@quittance/http/testing/random'
import { fundedWallet } from '@quittance/http/testing/wallet'
import { startFailingReceiver } from '../failing-receiver.ts'
import type { Report } from '../report.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'
import type { Asking } from './asking.ts'
import { type Books, readBooks } from './books.ts'
import { openGate } from './gate.ts'
import type { settle } from './settle.ts'
import { openShop } from './shop.ts'
import { openClub } from './subscribers.ts'
import { judgeBooks } from './verdict.ts'

export const halfADayMs = 12 * 60 * 60_000
const payers = 4
const shownWrong = 10

/** Where many processes work. */
export type Stage = {
  readonly dataDir: string
  readonly cluster: Cluster
  readonly network: LastingNetwork
  readonly books: () => Promise<Books>
  /** With which the command line finds the log. */
  readonly settings: Environment
  /** Prints a line with the seconds since the beginning. */
  readonly print: (line: string) => void
  readonly seconds: () => number
  /** Has something end with the stage; what was added last ends first. */
  readonly atEnd: (end: () => unknown) => void
}

/** Runs on a PostgreSQL and a network of their own. */
export const onStage = (
  { seed, isQuiet }: { readonly seed: number; readonly isQuiet: boolean },
  clusterSettings: ReadonlyArray<string>,
  run: (stage: Stage) => Promise<Report>,
): Promise<Report> =>
  inTemporaryFolder(async (folder) => {
    process.stdout.write(`seed ${seed}\n`)
    const startedAt = performance.now()
    const seconds = (): number => (performance.now() - startedAt) / 1_000
    const print = (line: string): void => {
      if (!isQuiet) process.stdout.write(`${seconds().toFixed(1).padStart(7)} ${line}\n`)
    }
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    const ending: Array<() => unknown> = []
    try {
      const cluster = await startCluster(clusterSettings)
      ending.push(() => cluster.remove())
      const network = await openLastingNetwork(dataDir, () => false)
      ending.push(() => network.close())
      const books = () => readBooks(cluster)
      const databaseUrl = cluster.connectionString
      const settings = { QUITTANCE_DATA_DIR: dataDir, QUITTANCE_DATABASE_URL: databaseUrl }
      const atEnd = (end: () => unknown): void => void ending.push(end)
      return await run({ dataDir, cluster, network, books, settings, print, seconds, atEnd })
    } finally {
      for (const end of ending.toReversed()) await end()
    }
  })

/** Who buys, subscribes and receives webhooks. Of the webhooks, the receiver fails such a part at first. */
export const openClients = async (
  { network, atEnd }: Stage,
  asking: Asking,
  { seed, failing }: { readonly seed: number; readonly failing: number },
) => {
  const receiver = await startFailingReceiver(randomFrom(seed + 1), failing)
  atEnd(() => receiver.stop())
  const hook = { name: 'All', url: receiver.url, events: ['*'] }
  receiver.verifyWith((await asking.insist('/webhooks', { body: hook, key: 'hook' })).body.data.secret)
  const club = await openClub(asking, network)
  const wallets = await Promise.all(Array.from({ length: payers }, () => fundedWallet(network.facts)))
  const shop = openShop(asking, network, randomFrom(seed + 2), wallets)
  return { asking, receiver, club, shop, gate: openGate() }
}

type Clients = Awaited<ReturnType<typeof openClients>>
type Settled = Awaited<ReturnType<typeof settle>>

/**
 * Judges ledger, log, and what clients and webhooks were told, once all processes have ended. Prints what is wrong and makes
 * the process exit with 1. `more` are the rules of the run itself; `figures` come after the books' own.
 */
export const judge = async (
  { network, books: read, seconds }: Pick<Stage, 'network' | 'books' | 'seconds'>,
  { asking, receiver, club, shop }: Omit<Clients, 'gate'>,
  settled: Settled,
  more: (books: Books) => Promise<Readonly<Record<string, ReadonlyArray<string>>>>,
  figures: Report,
): Promise<Report> => {
  const books = await read()
  const ownWrong = await more(books)
  const judged = await judgeBooks(network, books, {
    account: shop.account(),
    orders: shop.orders,
    wanted: shop.wanted,
    refunds: settled.refunds,
  })
  const found = Object.entries({
    ...judged.wrong,
    ...settled.wrong,
    answers: asking.wrong,
    shop: shop.wrong,
    members: club.wrong,
    webhooks: receiver.wrong,
    ...ownWrong,
  })
  for (const [rule, each] of found)
    for (const words of each.slice(0, shownWrong)) process.stdout.write(`${rule}: ${words}\n`)
  if (found.some(([, each]) => each.length > 0)) process.exitCode = 1
  return {
    seconds: seconds(),
    ...judged.figures,
    'members joined': club.members.length,
    'webhooks received': receiver.arrived.size,
    'webhook attempts': receiver.counts.attempts,
    'webhooks published': settled.published,
    ...figures,
    ...asking.figures(),
    ...Object.fromEntries(found.map(([rule, each]) => [`wrong: ${rule}`, each.length])),
  }
}
