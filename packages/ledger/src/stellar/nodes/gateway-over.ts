import type { Task } from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { LedgerGateway } from '../../gateway.ts'
import { type RpcOptions, rpcNode } from '../rpc-gateway.ts'
import type { LedgerNode } from './ledger-node.ts'
import type { NodeAlarm } from './node-alarm.ts'
import { severalNodes } from './several-nodes.ts'

/** The nodes of a network, those first that are to be asked first. `timeoutMs` bounds every call to one of them. */
export type RpcNodes = Omit<RpcOptions, 'url'> & { readonly urls: ReadonlyArray<string> }

/** Nodes of one host are told apart by their place in the configuration. */
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

/** The network that a node says it is of; null where it says nothing in time. */
export type StatedNetwork = { readonly node: string; readonly passphrase: string | null }

/** Asks each of the nodes, all at once, which network it is of. */
export const statedNetworks =
  (nodes: RpcNodes): Task<ReadonlyArray<StatedNetwork>> =>
  () =>
    Promise.all(
      namedNodes(nodes).map(async ({ name, passphrase }) => ({
        node: name,
        passphrase: await TE.getOrElse((): Task<string | null> => async () => null)(passphrase())(),
      })),
    )
