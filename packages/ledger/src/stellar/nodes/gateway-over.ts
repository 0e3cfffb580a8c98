import type { LedgerGateway } from '../../gateway.ts'
import { type RpcOptions, rpcNode } from '../rpc-gateway.ts'
import type { NodeAlarm } from './node-alarm.ts'
import { severalNodes } from './several-nodes.ts'

/** The nodes of a network, those first that are to be asked first. `timeoutMs` bounds every call to one of them. */
export type RpcNodes = Omit<RpcOptions, 'url'> & { readonly urls: ReadonlyArray<string> }

/**
 * The ledger behind Stellar RPC nodes. `alarm`: see `severalNodes`. Nodes of one host are told apart
 * by their place in the configuration.
 */
export const gatewayOver = (
  { urls, networkPassphrase, timeoutMs }: RpcNodes,
  alarm: (alarm: NodeAlarm) => void,
): LedgerGateway => {
  const nodes = urls.map((url) => rpcNode({ url, networkPassphrase, timeoutMs }))
  const named = nodes.map((node, index) => {
    const isAlone = nodes.every(({ name }, other) => other === index || name !== node.name)
    return isAlone ? node : { ...node, name: `${node.name} (${index + 1})` }
  })
  return severalNodes(networkPassphrase, named, alarm, () => performance.now())
}
