import type { Environment } from '@quittance/domain'
import type { NetworkConfig } from './network-config.ts'
import { exactly, httpUrl, type Settings } from './settings.ts'

type Networks = Readonly<Record<Environment, NetworkConfig>>

/**
 * Whether the testnet is the sandbox: without nodes of any network; beside a mainnet only if it is requested by name,
 * because test keys then move a clock, get coins and try endpoints on a machine that holds real money.
 */
export const usesSandbox = (settings: Settings, { testnet, mainnet }: Networks): boolean => {
  const isRequested = settings.read('SANDBOX', '1, or unset', exactly('1'), null) !== null
  if (testnet.rpcUrls.length === 0) return isRequested || mainnet.rpcUrls.length === 0
  if (isRequested)
    settings.complain({ variable: 'QUITTANCE_SANDBOX', expected: 'unset, since the testnet has nodes of its own' })
  return false
}

/** The servers that find paths. One that is named without its network serves the mainnet, or the testnet alone. */
export const pathsUrls = ({ read }: Settings, { mainnet }: Networks): Readonly<Record<Environment, string | null>> => {
  const urlIn = (variable: string) => read<string | null>(variable, 'an http(s) address', httpUrl, null)
  const hasMainnet = mainnet.rpcUrls.length > 0
  const either = urlIn('PATHS_URL')
  return {
    testnet: urlIn('PATHS_URL_TESTNET') ?? (hasMainnet ? null : either),
    mainnet: urlIn('PATHS_URL_MAINNET') ?? (hasMainnet ? either : null),
  }
}
