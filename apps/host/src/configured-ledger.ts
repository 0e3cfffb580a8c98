import type { Environment } from '@quittance/domain'
import { gatewayOver, type LedgerGateway, type RpcNodes } from '@quittance/ledger'
import type { Config } from './config.ts'
import { dataFiles } from './data-dir.ts'
import { servedSandbox } from './sandbox-node.ts'

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
 * The ledger of an environment, without the event log: behind its nodes, or in the sandbox that another process serves.
 */
export const configuredLedger = async (config: Config, environment: Environment): Promise<LedgerGateway | null> => {
  const nodes = configuredNodes(config, environment) ?? (await sandboxNodes(config, environment))
  return nodes === null ? null : gatewayOver(nodes, () => {})
}

const sandboxNodes = async ({ usesSandbox, dataDir }: Config, environment: Environment): Promise<RpcNodes | null> => {
  const served = environment === 'testnet' && usesSandbox ? await servedSandbox(dataFiles(dataDir)) : null
  return served === null ? null : nodesAt([served.rpc_url], served.network_passphrase)
}
