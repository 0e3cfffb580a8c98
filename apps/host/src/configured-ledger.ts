import type { Environment } from '@quittance/domain'
import { gatewayOver, type LedgerGateway, type RpcNodes } from '@quittance/ledger'
import type { Config } from './config.ts'
import { dataFiles } from './data-dir.ts'
import { servedSandbox } from './sandbox-facts.ts'

const timeoutMs = 5_000

export const nodesAt = (urls: ReadonlyArray<string>, networkPassphrase: string): RpcNodes => ({
  urls,
  networkPassphrase,
  timeoutMs,
})

/** The configured nodes of an environment; null without any. */
export const configuredNodes = ({ networks }: Config, environment: Environment): RpcNodes | null => {
  const { rpcUrls, passphrase } = networks[environment]
  return rpcUrls.length === 0 ? null : nodesAt(rpcUrls, passphrase)
}

/**
 * The ledger of an environment, with nothing else opened: behind its nodes, or in the sandbox that another process
 * serves.
 */
export const configuredLedger = (config: Config, environment: Environment): LedgerGateway | null => {
  const served =
    environment === 'testnet' && config.usesSandbox ? servedSandbox(dataFiles(config.dataDir).sandboxFacts) : null
  const nodes =
    configuredNodes(config, environment) ??
    (served === null ? null : nodesAt([served.rpc_url], served.network_passphrase))
  return nodes === null ? null : gatewayOver(nodes, () => {})
}
