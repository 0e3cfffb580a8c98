import * as E from 'fp-ts/lib/Either.js'
import type { Task } from 'fp-ts/lib/Task.js'
import type { LedgerGateway } from '../../gateway.ts'
import { type RpcOptions, rpcNode } from '../rpc-gateway.ts'
import type { LedgerNode } from './ledger-node.ts'
import type { NodeAlarm } from './node-alarm.ts'
import { severalNodes } from './several-nodes.ts'

/** The nodes of a network, in the order of preference. `timeoutMs` bounds every call to one of them. */
export type RpcNodes = Omit<RpcOptions, 'url'> & { readonly urls: ReadonlyArray<string> }

/** A number tells nodes of one host apart. */
const namedNodes = ({ urls, networkPassphrase, timeoutMs }: RpcNodes): ReadonlyArray<LedgerNode> => {
  const nodes = urls.map((url) => rpcNode({ url, networkPassphrase, timeoutMs }))
  return nodes.map((node, index) => {
    const isAlone = nodes.every(({ name }, other) => other === index || name !== node.name)
    return isAlone ? node : { ...node, name: `${node.name} (${index + 1})` }
  })
}

/** The ledger behind Stellar RPC nodes. `alarm`: see `severalNodes`. */
export const gatewayOver = (nodes: RpcNodes, alarm: (alarm: NodeAlarm) => void): LedgerGateway =>
  severalNodes(nodes.networkPassphrase, namedNodes(nodes), alarm, () => performance.now())

/** The network that a node states; null where it does not respond in time. */
export type StatedNetwork = { readonly node: string; readonly passphrase: string | null }

/** Asks all nodes at once which network they belong to. */
export const statedNetworks =
  (nodes: RpcNodes): Task<ReadonlyArray<StatedNetwork>> =>
  () =>
    Promise.all(
      namedNodes(nodes).map(async ({ name, passphrase }) => {
        const stated = await passphrase()()
        return { node: name, passphrase: E.isRight(stated) ? stated.right : null }
      }),
    )
