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

/** A node on the loopback interface, in its own process. */
const startNode = async () => {
  const child = spawn(process.execPath, [nodeProgram, String(ledgers), String(transactions)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = await once(child.stdout, 'data')
  return { url: `http://127.0.0.1:${String(port).trim()}`, stop: () => child.kill() }
}

type Measured = {
  readonly ledgers: number
  readonly credits: number
  readonly perSecond: number
  /** Processor time of the ingesting process alone, per ledger. */
  readonly cpuMs: number
  readonly peakMb: number
}

/** Ingests all ledgers in a fresh process, to measure its memory alone. */
const follow = (watched: number, urls: ReadonlyArray<string>): Measured => {
  const printed = execFileSync(process.execPath, [followProgram, String(watched), ...urls])
  const measured: Measured = JSON.parse(printed.toString('utf8'))
  if (measured.ledgers !== ledgers || measured.credits === 0)
    throw new Error('the ingested ledgers differ from those served')
  return measured
}

/** Medians of several measurements, named after the case. */
const figures = (all: ReadonlyArray<Measured>, name: string): Report => {
  const middle = (figure: (measured: Measured) => number): number => median(all.map(figure))
  return {
    [`ledgers per second, ${name}`]: middle(({ perSecond }) => perSecond),
    [`times the pace of the network, ${name}`]: middle(({ perSecond }) => perSecond * secondsBetweenLedgers),
    [`processor per ledger, ${name}, ms`]: middle(({ cpuMs }) => cpuMs),
    [`peak memory, ${name}, MB`]: middle(({ peakMb }) => peakMb),
  }
}

/**
 * Ledgers ingested per second from a node over HTTP: JSON and base64 decoded, checked against headers, matched with
 * watched accounts. Medians of alternating rounds. The ledgers repeat 50 recorded mainnet transactions of August 2026,
 * 2.2 MB of base64 each; needs the conformance data.
 */
export const follower: Benchmark = async () => {
  const nodes = [await startNode(), await startNode()]
  const urls = nodes.map(({ url }) => url)
  try {
    const all = Array.from({ length: rounds }, () => ({
      one: follow(1, urls.slice(0, 1)),
      many: follow(100_000, urls.slice(0, 1)),
      compared: follow(100_000, urls),
    }))
    return {
      ...figures(
        all.map(({ one }) => one),
        '1 account',
      ),
      ...figures(
        all.map(({ many }) => many),
        '100,000 accounts',
      ),
      ...figures(
        all.map(({ compared }) => compared),
        '100,000, two nodes',
      ),
    }
  } finally {
    for (const { stop } of nodes) stop()
  }
}
