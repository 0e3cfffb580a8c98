import type { LedgerGateway } from '../gateway.ts'
import { rpcGateway } from '../stellar/rpc-gateway.ts'
import { type Call, type NodeBehaviour, startNode } from './json-rpc-server.ts'

export const networkPassphrase = 'A Network For Tests'

/** Runs a test against a node that behaves so. */
export const against = async <A>(
  behave: (call: Call) => NodeBehaviour,
  test: (gateway: LedgerGateway, calls: ReadonlyArray<Call>) => Promise<A>,
  timeoutMs = 60_000,
): Promise<A> => {
  const node = await startNode(behave)
  try {
    return await test(rpcGateway({ url: node.url, networkPassphrase, timeoutMs }), node.calls)
  } finally {
    await node.stop()
  }
}

export const answering = (result: unknown) => (): NodeBehaviour => ({ result })
