import type { Environment, UnixMs } from '@quittance/domain'

/**
 * The clock of each environment. That of a sandbox can be moved, and drives service, worker and ledger there; it must
 * never move what belongs to a real network.
 */
export interface Clock {
  readonly now: (environment: Environment) => UnixMs
}

/** The time of what belongs to no environment: that of real money, where there is any. */
export const deploymentTime = (clock: Clock): UnixMs => clock.now('mainnet')

export type Times = Readonly<Record<Environment, UnixMs>>

export const timesOf = (clock: Clock): Times => ({ testnet: clock.now('testnet'), mainnet: clock.now('mainnet') })

/** The time of a row's environment, in SQL; its arguments are `timeArguments`. */
export const timeOfRow = "CASE environment WHEN 'testnet' THEN CAST(? AS bigint) ELSE CAST(? AS bigint) END"

export const timeArguments = ({ testnet, mainnet }: Times): readonly [UnixMs, UnixMs] => [testnet, mainnet]
