import { ContainerModule } from 'inversify'
import type { LedgerGateway } from '../../gateway.ts'
import { sandboxRates } from '../../rates/sandbox-rates.ts'
import { severalNodes } from '../nodes/several-nodes.ts'
import { rpcNode } from '../rpc-gateway.ts'
import {
  LEDGER_CONFIG,
  LEDGER_GATEWAYS,
  type LedgerConfig,
  type LedgerGateways,
  RATE_SOURCE,
  type RpcNodes,
} from './tokens.ts'

const gateways = ({ testnet, mainnet, alarm }: LedgerConfig): LedgerGateways => ({
  testnet: testnet === null ? null : gateway(testnet, alarm),
  mainnet: mainnet === null ? null : gateway(mainnet, alarm),
})

/** Nodes of one host are told apart by their place in the configuration. */
const gateway = ({ urls, networkPassphrase, timeoutMs }: RpcNodes, alarm: LedgerConfig['alarm']): LedgerGateway => {
  const nodes = urls.map((url) => rpcNode({ url, networkPassphrase, timeoutMs }))
  const named = nodes.map((node, index) => {
    const isAlone = nodes.every(({ name }, other) => other === index || name !== node.name)
    return isAlone ? node : { ...node, name: `${node.name} (${index + 1})` }
  })
  return severalNodes(networkPassphrase, named, alarm, () => performance.now())
}

/** Needs `LEDGER_CONFIG`. */
export const ledgerModule = new ContainerModule(({ bind }) => {
  bind(LEDGER_GATEWAYS).toResolvedValue(gateways, [LEDGER_CONFIG])
})

/** The sandbox's pinned rates. */
export const sandboxRatesModule = new ContainerModule(({ bind }) => {
  bind(RATE_SOURCE).toConstantValue(sandboxRates)
})
