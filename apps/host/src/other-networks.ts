import type { Environment } from '@quittance/domain'
import { type RpcNodes, type StatedNetwork, statedNetworks } from '@quittance/ledger'
import type { Config } from './config.ts'
import { configuredNodes } from './configured-ledger.ts'
import { environments } from './environments.ts'
import type { ConfigProblem } from './settings.ts'

/** A silent node does not keep the service from starting: `/ready` tells whether it answers. */
const answerWithinMs = 2_000

/**
 * A problem for each node that belongs to another network than the one configured for its environment. Nodes that do
 * not answer now are checked again before they are used.
 */
export const otherNetworks = async (
  config: Config,
  among: ReadonlyArray<Environment> = environments,
): Promise<ReadonlyArray<ConfigProblem>> => {
  const found = await Promise.all(
    among.map(async (environment) => {
      const nodes = configuredNodes(config, environment)
      return nodes === null ? [] : problemsAmong(environment, nodes)
    }),
  )
  return found.flat()
}

const problemsAmong = async (environment: Environment, nodes: RpcNodes): Promise<ReadonlyArray<ConfigProblem>> => {
  const stated = await statedNetworks({ ...nodes, timeoutMs: answerWithinMs })()
  return stated.flatMap((each) => problemOf(environment, nodes.networkPassphrase, each))
}

const problemOf = (
  environment: Environment,
  configured: string,
  { node, passphrase }: StatedNetwork,
): ReadonlyArray<ConfigProblem> => {
  if (passphrase === null || passphrase === configured) return []
  const name = `QUITTANCE_${environment.toUpperCase()}`
  const expected = `nodes of the network "${configured}" (${name}_PASSPHRASE); ${node} is of "${passphrase}"`
  return [{ variable: `${name}_RPC_URLS`, expected }]
}
