import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Benchmark, median, type Report } from './report.ts'

const ledgers = 40
const transactions = 300
const secondsBetweenLedgers = 5.6
const rounds = 3

const nodeProgram = fileURLToPath(new URL('./ledger-node.ts', import.meta.url))
const followProgram = fileURLToPath(new URL('./follow-ledgers.ts', import.meta.url))

/** A node on the loopback interface, in a process of its own. */
const startNode = async () => {
  const child = spawn(process.execPath, [nodeProgram, String(ledgers), String(transactions)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = await once(child.stdout, 'data')
  return { url: `http://127.0.0.1:${String(port).trim()}`, stop: () => child.kill() }
}

type Walk = {
  readonly ledgers: number
  readonly credits: number
  readonly perSecond: number
  /** Of the following process's own processor time, for each ledger; its nodes are processes of their own. */
  readonly cpuMs: number
  readonly peakMb: number
}

/** Follows everything in a process of its own, which keeps its memory apart. */
const follow = (watched: number, urls: ReadonlyArray<string>): Walk => {
  const printed = execFileSync(process.execPath, [followProgram, String(watched), ...urls])
  const walk: Walk = JSON.parse(printed.toString('utf8'))
  if (walk.ledgers !== ledgers || walk.credits === 0) throw new Error('The ledgers are not what was served')
  return walk
}

/** The middle of several walks, with the name of the case behind each figure. */
const figures = (walks: ReadonlyArray<Walk>, name: string): Report => {
  const middle = (figure: (walk: Walk) => number): number => median(walks.map(figure))
  return {
    [`ledgers per second, ${name}`]: middle(({ perSecond }) => perSecond),
    [`times the pace of the network, ${name}`]: middle(({ perSecond }) => perSecond * secondsBetweenLedgers),
    [`processor per ledger, ${name}, ms`]: middle(({ cpuMs }) => cpuMs),
    [`peak memory, ${name}, MB`]: middle(({ peakMb }) => peakMb),
  }
}

/**
 * Ledgers per second that are read from a node over HTTP, with JSON and base64, decoded, checked against their headers
 * and matched with the watched accounts; medians of rounds in which the cases take turns. They hold the 50 recorded
 * mainnet transactions of August 2026 over and over, 2.2 MB of base64 a ledger; needs the conformance data.
 */
export const follower: Benchmark = async () => {
  const nodes = [await startNode(), await startNode()]
  const urls = nodes.map(({ url }) => url)
  try {
    const walks = Array.from({ length: rounds }, () => ({
      one: follow(1, urls.slice(0, 1)),
      many: follow(100_000, urls.slice(0, 1)),
      compared: follow(100_000, urls),
    }))
    return {
      ...figures(
        walks.map(({ one }) => one),
        '1 account',
      ),
      ...figures(
        walks.map(({ many }) => many),
        '100,000 accounts',
      ),
      ...figures(
        walks.map(({ compared }) => compared),
        '100,000, two nodes',
      ),
    }
  } finally {
    for (const { stop } of nodes) stop()
  }
}
