import { type AcceptedAsset, ContractId, type Environment } from '@quittance/domain'
import { networkAssets } from './configured-assets.ts'
import { publicPassphrases } from './public-networks.ts'
import { type ConfigProblem, httpUrl, listOf, matching, oneOf, type Settings } from './settings.ts'

/** What is configured of the network of one environment. */
export type NetworkConfig = {
  /** Stellar RPC nodes; none: the sandbox for the testnet, no network for the mainnet. */
  readonly rpcUrls: ReadonlyArray<string>
  /** The network that the nodes must be of. */
  readonly passphrase: string
  /** Who gives an account its first lumens for nothing; null where nobody does. */
  readonly friendbotUrl: string | null
  /** The contract that collects for subscriptions; null: the sandbox's own, and elsewhere none. */
  readonly mandateContract: ContractId | null
  /** What merchants may accept, the default first. The sandbox offers its own instead. */
  readonly assets: ReadonlyArray<AcceptedAsset>
}

const publicFriendbot = 'https://friendbot.stellar.org'
const friendbotVariable = 'TESTNET_FRIENDBOT_URL'
const nobody = 'none'

/**
 * The networks of both environments. What one of them is called by tells them apart for ever: a key of the testnet must never
 * move money of the mainnet, so they are not the same network, and the testnet is not the public mainnet.
 */
export const networkConfigs = (settings: Settings): Readonly<Record<Environment, NetworkConfig>> => {
  const testnet = networkConfig(settings, 'testnet')
  const mainnet = networkConfig(settings, 'mainnet')
  settings.complain(...withoutNodes(settings, 'testnet', testnet), ...withoutNodes(settings, 'mainnet', mainnet))
  const isPublic = testnet.passphrase === publicPassphrases.mainnet
  const isBoth = mainnet.rpcUrls.length > 0 && testnet.rpcUrls.length > 0 && testnet.passphrase === mainnet.passphrase
  if (isPublic || isBoth)
    settings.complain({
      variable: 'QUITTANCE_TESTNET_PASSPHRASE',
      expected: 'that of another network than the mainnet',
    })
  return {
    testnet: { ...testnet, friendbotUrl: friendbotUrl(settings, testnet) },
    mainnet,
  }
}

/** Whoever names a network means to use it: without its nodes, the sandbox would be taken in its place. */
const withoutNodes = (
  { isSet }: Settings,
  environment: Environment,
  { rpcUrls }: NetworkConfig,
): ReadonlyArray<ConfigProblem> => {
  const name = environment.toUpperCase()
  const friendbot = environment === 'testnet' ? [friendbotVariable] : []
  const naming = [`${name}_PASSPHRASE`, `ASSETS_${name}`, ...friendbot].filter(isSet)
  if (rpcUrls.length > 0 || isSet(`${name}_RPC_URLS`) || naming.length === 0) return []
  const expected = `set, since there is no network for ${naming.map((each) => `QUITTANCE_${each}`).join(' and ')}`
  return [{ variable: `QUITTANCE_${name}_RPC_URLS`, expected }]
}

const networkConfig = (settings: Settings, environment: Environment): NetworkConfig => {
  const { read } = settings
  const name = environment.toUpperCase()
  const passphrase = read(
    `${name}_PASSPHRASE`,
    'the passphrase of a network, in one line',
    matching(/^\P{C}{1,200}$/u),
    publicPassphrases[environment],
  )
  return {
    rpcUrls: read(`${name}_RPC_URLS`, 'http(s) addresses, separated by commas', listOf(httpUrl), []),
    passphrase,
    friendbotUrl: null,
    mandateContract: read<ContractId | null>(
      `MANDATE_CONTRACT_${name}`,
      'a Stellar contract (C…)',
      oneOf(ContractId),
      null,
    ),
    assets: networkAssets(settings, name, passphrase),
  }
}

/** That of the public testnet where its nodes are configured, unless another one is named, or `none`. */
const friendbotUrl = ({ read }: Settings, { rpcUrls, passphrase }: NetworkConfig): string | null => {
  const isPublic = rpcUrls.length > 0 && passphrase === publicPassphrases.testnet
  const url = read(
    friendbotVariable,
    'an http(s) address, or none',
    (text) => (text === nobody ? nobody : httpUrl(text)),
    isPublic ? publicFriendbot : nobody,
  )
  return url === nobody ? null : url
}
