import type { Environment } from '@quittance/domain'

export const environments = ['testnet', 'mainnet'] as const

/** Asks for something of each environment, and answers all of it. */
export const ofEnvironments = async <A>(
  ask: (environment: Environment) => Promise<ReadonlyArray<A>>,
): Promise<ReadonlyArray<A>> => (await Promise.all(environments.map(ask))).flat()
