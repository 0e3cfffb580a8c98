import type { AnnouncedUpgrade } from '@quittance/billing'
import { type AcceptedAsset, AccountId, ContractId, type Environment, hourMs, unixMs } from '@quittance/domain'
import { networkAssets } from './configured-assets.ts'
import { publicPassphrases } from './public-networks.ts'
import { type ConfigProblem, httpUrl, listOf, matching, number, oneOf, type Read, type Settings } from './settings.ts'

/** The configuration of one network. */
export type NetworkConfig = {
  /** Stellar RPC nodes. Without any, there is no such network, unless the sandbox is the testnet. */
  readonly rpcUrls: ReadonlyArray<string>
  /** The passphrase of the network that the nodes must belong to. */
  readonly passphrase: string
  /** The service that funds new accounts; null without one. */
  readonly friendbotUrl: string | null
  /** The contract that charges subscriptions. Null: the sandbox's own, none elsewhere. */
  readonly mandateContract: ContractId | null
  /** The next upgrade of the protocol, as it was announced. */
  readonly announcedUpgrade: AnnouncedUpgrade | null
  /** How often a checkpoint of the log is put on the ledger; null: never. */
  readonly anchorEveryMs: number | null
  /** Where the operator's fees are paid to. */
  readonly feeAccount: AccountId | null
  /** Where people look a transaction up, with `{hash}` in it; null: receipts link to none. */
  readonly explorer: string | null
  /** The assets that merchants may accept, the default first. The sandbox offers its own instead. */
  readonly assets: ReadonlyArray<AcceptedAsset>
}

const publicFriendbot = 'https://friendbot.stellar.org'
const friendbotVariable = 'TESTNET_FRIENDBOT_URL'
const nobody = 'none'
const never = 'none'
/** In the sandbox, whose fees are nobody's. */
const sandboxAnchorHours = 24

/**
 * The networks of both environments. They must differ, because a testnet key must never move mainnet money; nor may the
 * testnet be the public mainnet.
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

/** A network that is named without nodes is an error: the sandbox would silently take its place. */
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

/** A node that is named twice would pass as two that agree. */
const nodeUrls: Read<ReadonlyArray<string>> = (text) => {
  const urls = listOf(httpUrl)(text)
  return urls === null || new Set(urls.map((url) => new URL(url).href)).size < urls.length ? null : urls
}

/** `<protocol>@<ISO 8601 time in UTC>`. */
const upgrade: Read<AnnouncedUpgrade> = (text) => {
  const [, protocol, time = ''] = /^(\d{1,4})@(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?Z)$/.exec(text) ?? []
  const at = Date.parse(time)
  return protocol === undefined || Number.isNaN(at) ? null : { protocol: Number(protocol), at: unixMs(at) }
}

const explorer: Read<string> = (text) =>
  /^https:\/\/[^\s"<>]+$/.test(text) && text.includes('{hash}') && URL.canParse(text) ? text : null

/** Hours up to a year, or never. */
const anchorHours: Read<number | typeof never> = (text) => (text === never ? never : number(1, 8_784)(text))

const networkConfig = (settings: Settings, environment: Environment): NetworkConfig => {
  const { read } = settings
  const name = environment.toUpperCase()
  const passphrase = read(
    `${name}_PASSPHRASE`,
    'the passphrase of a network, in one line',
    matching(/^\P{C}{1,200}$/u),
    publicPassphrases[environment],
  )
  const rpcUrls = read(`${name}_RPC_URLS`, 'http(s) addresses, each once, separated by commas', nodeUrls, [])
  const isSandbox = environment === 'testnet' && rpcUrls.length === 0
  const hours = read(
    `ANCHOR_HOURS_${name}`,
    'hours from 1 to 8784, or none',
    anchorHours,
    isSandbox ? sandboxAnchorHours : never,
  )
  return {
    rpcUrls,
    passphrase,
    friendbotUrl: null,
    mandateContract: read<ContractId | null>(
      `MANDATE_CONTRACT_${name}`,
      'a Stellar contract (C…)',
      oneOf(ContractId),
      null,
    ),
    announcedUpgrade: read<AnnouncedUpgrade | null>(
      `${name}_UPGRADE`,
      'a protocol and the time of its upgrade, such as 28@2026-12-16T17:00:00Z',
      upgrade,
      null,
    ),
    anchorEveryMs: hours === never ? null : hours * hourMs,
    feeAccount: read<AccountId | null>(`${name}_FEE_ACCOUNT`, 'a Stellar account (G…)', oneOf(AccountId), null),
    explorer: read<string | null>(`EXPLORER_${name}`, 'an https address with {hash} in it', explorer, null),
    assets: networkAssets(settings, name, passphrase),
  }
}

/** The configured address, or none. The public testnet has a default. */
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
