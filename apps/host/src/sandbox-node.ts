import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { SqlDatabase } from '@quittance/event-store'
import { openDatabase } from '@quittance/event-store/sqlite'
import { listen, openSandbox, type Sandbox } from '@quittance/sandbox'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { DataDir } from './data-dir.ts'
import { lastFacts, type SandboxFacts } from './sandbox-facts.ts'

/** The node of the sandbox, as this process reaches it. */
export type SandboxNode = {
  readonly sandbox: Sandbox
  readonly database: SqlDatabase
  readonly rpcUrl: string
  readonly friendbotUrl: string
  /** Whether this process serves the node, and therefore closes ledgers by the clock. */
  readonly isOwn: boolean
  /** Closes ledgers by the clock: at once where the node is our own, else once its process is gone and we serve it. */
  readonly run: (signal: AbortSignal) => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Opens the sandbox of a data directory. Uses the node of another process that serves it, which also closes the
 * ledgers; otherwise serves a node itself.
 */
export const sandboxNode = async (database: SqlDatabase, factsFile: string): Promise<SandboxNode> => {
  const sandbox = openSandbox({ database, wallClock: Date.now })
  const before = lastFacts(factsFile)?.rpc_url ?? null
  const isServed = before !== null && (await isServing(before, sandbox))
  const served = isServed ? null : await ownNode(sandbox, before)
  const rpcUrl = served?.url ?? before ?? ''
  let node = served
  return {
    sandbox,
    database,
    rpcUrl,
    friendbotUrl: `${rpcUrl}/friendbot`,
    isOwn: served !== null,
    run: async (signal) => {
      node ??= await succeed(sandbox, portOf(rpcUrl), signal)
      if (!signal.aborted) sandbox.start()
    },
    close: async () => node?.close(),
  }
}

/** The facts of the node that serves a data directory now, in whatever process; null without one. */
export const servedSandbox = async ({ sandbox, sandboxFacts }: DataDir): Promise<SandboxFacts | null> => {
  const facts = lastFacts(sandboxFacts)
  if (facts === null || !existsSync(sandbox)) return null
  const database = openDatabase(sandbox, { durability: 'full', secureDelete: false })
  try {
    return (await isServing(facts.rpc_url, openSandbox({ database, wallClock: Date.now }))) ? facts : null
  } finally {
    database.close()
  }
}

type Node = Awaited<ReturnType<typeof listen>>

const portOf = (url: string): number => Number(new URL(url).port)

/** Listens on its previous port if that is free, so that clients find the node again after a restart. */
const ownNode = async (sandbox: Sandbox, before: string | null): Promise<Node> => {
  try {
    return await listen(sandbox, before === null ? 0 : portOf(before))
  } catch {
    return listen(sandbox)
  }
}

const betweenTriesMs = 100

/** Serves the node at the port of another process once that is gone; null where the signal aborts first. */
const succeed = async (sandbox: Sandbox, port: number, signal: AbortSignal): Promise<Node | null> => {
  while (!signal.aborted) {
    await untilDisconnected(port, signal)
    const node = await listen(sandbox, port).catch(() => null)
    if (node !== null) return node
    await pause(betweenTriesMs)
  }
  return null
}

/** Resolves when a connection to the port ends, as it does at once when its process dies. */
const untilDisconnected = async (port: number, signal: AbortSignal): Promise<void> => {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  // Reads nothing, but only a flowing socket notices the end.
  socket.resume()
  await once(socket, 'close', { signal }).catch(() => socket.destroy())
}

const answerWithinMs = 2_000
const LatestLedger = t.type({ result: t.type({ id: t.string, sequence: t.number }) })

/** Whether a node answers there from this sandbox's ledgers: its port may belong to another process by now. */
const isServing = async (rpcUrl: string, sandbox: Sandbox): Promise<boolean> => {
  try {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getLatestLedger' }),
      signal: AbortSignal.timeout(answerWithinMs),
    })
    const answer = LatestLedger.decode(await response.json())
    if (E.isLeft(answer)) return false
    const { id, sequence } = answer.right.result
    return sandbox.read.ledgersFrom(sequence, 1)[0]?.hash === id
  } catch {
    return false
  }
}
