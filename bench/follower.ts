import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Benchmark } from './report.ts'

const ledgers = 60
const transactions = 300
const secondsBetweenLedgers = 5.6

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
  /** Of the processor, for each ledger. */
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

/**
 * Ledgers per second that are read from a node over HTTP, with JSON and base64, decoded, checked against their headers
 * and matched with the watched accounts. They hold the 50 recorded
 * mainnet transactions of August 2026 over and over, 2.2 MB of base64 a ledger; needs the conformance data.
 */
export const follower: Benchmark = async () => {
  const nodes = [await startNode(), await startNode()]
  const urls = nodes.map(({ url }) => url)
  try {
    const one = follow(1, urls.slice(0, 1))
    const many = follow(100_000, urls.slice(0, 1))
    const compared = follow(100_000, urls)
    return {
      'ledgers per second, 1 account': one.perSecond,
      'ledgers per second, 100,000 accounts': many.perSecond,
      'times the pace of the network, 100,000 accounts': many.perSecond * secondsBetweenLedgers,
      'ledgers per second, 100,000 accounts, two nodes': compared.perSecond,
      'processor per ledger, 1 account, ms': one.cpuMs,
      'processor per ledger, 100,000 accounts, ms': many.cpuMs,
      'peak memory, 1 account, MB': one.peakMb,
      'peak memory, 100,000 accounts, MB': many.peakMb,
      'peak memory, 100,000 accounts, two nodes, MB': compared.peakMb,
    }
  } finally {
    for (const { stop } of nodes) stop()
  }
}
