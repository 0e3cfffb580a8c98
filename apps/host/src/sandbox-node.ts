import type { SqlDatabase } from '@quittance/event-store'
import { listen, openSandbox, type Sandbox } from '@quittance/sandbox'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { lastFacts, type SandboxFacts, servedSandbox } from './sandbox-facts.ts'

/** The node of the sandbox, as this process reaches it. */
export type SandboxNode = {
  readonly sandbox: Sandbox
  readonly rpcUrl: string
  readonly friendbotUrl: string
  /** Whether this process serves the node, and therefore closes ledgers by the clock. */
  readonly isOwn: boolean
  readonly close: () => Promise<void>
}

/**
 * Opens the sandbox of a data directory. Uses the node of another process that serves it, which also closes the
 * ledgers; otherwise serves a node itself.
 */
export const sandboxNode = async (database: SqlDatabase, factsFile: string): Promise<SandboxNode> => {
  const sandbox = openSandbox({ database, wallClock: Date.now })
  const served = servedSandbox(factsFile)
  if (served !== null && (await isAnswering(served)))
    return { sandbox, ...addressesIn(served), isOwn: false, close: async () => {} }
  const node = await ownNode(sandbox, factsFile)
  return { sandbox, rpcUrl: node.url, friendbotUrl: `${node.url}/friendbot`, isOwn: true, close: node.close }
}

/** Listens on its previous port if that is free, so that clients find the node again after a restart. */
const ownNode = async (sandbox: Sandbox, factsFile: string): ReturnType<typeof listen> => {
  const before = lastFacts(factsFile)
  try {
    return await listen(sandbox, before === null ? 0 : Number(new URL(before.rpc_url).port))
  } catch {
    return listen(sandbox)
  }
}

const answerWithinMs = 2_000
const NetworkAnswer = t.type({ result: t.type({ passphrase: t.string }) })

/** Whether the node of these facts answers: its process id may belong to another process by now. */
const isAnswering = async ({ rpc_url, network_passphrase }: SandboxFacts): Promise<boolean> => {
  try {
    const response = await fetch(rpc_url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getNetwork' }),
      signal: AbortSignal.timeout(answerWithinMs),
    })
    const answer = NetworkAnswer.decode(await response.json())
    return E.isRight(answer) && answer.right.result.passphrase === network_passphrase
  } catch {
    return false
  }
}

const addressesIn = ({ rpc_url, friendbot_url }: SandboxFacts) => ({ rpcUrl: rpc_url, friendbotUrl: friendbot_url })
