import { type Network, type Pricer, quoter, type RateMemories, type Services } from '@quittance/billing'
import { AcceptedAsset, assetCode, ContractId, type Environment, stroops } from '@quittance/domain'
import {
  friendbotAt,
  horizonPaths,
  type LedgerConfig,
  type LedgerGateway,
  type LedgerGateways,
  type LiveRates,
  type PathFinder,
  type Pricing,
  pricingOf,
  type RateSource,
  type RateWatch,
  referenceFrom,
} from '@quittance/ledger'
import type { Sandbox } from '@quittance/sandbox'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Closers, closedLater } from './closers.ts'
import { committedContract } from './committed-contract.ts'
import type { Config } from './config.ts'
import { configuredNodes, nodesAt } from './configured-ledger.ts'
import type { SandboxNode } from './sandbox-node.ts'
import { isWellKnown } from './well-known-assets.ts'

/**
 * The testnet, which may be the sandbox, and the mainnet, if its nodes are configured. `live` quotes by
 * the configured sources on every network; without it the sandbox has pinned rates and other networks have none.
 * `paths` finds ways to pay with other assets, and compares them with rates of the same origin.
 */
export const networks = (
  gateways: LedgerGateways,
  pinned: RateSource,
  live: Pricer | null,
  node: SandboxNode | null,
  paths: Paths,
  config: Config,
): Services['networks'] => {
  const { recoverySigner } = config
  const testnet =
    gateways.testnet !== null && node !== null
      ? {
          ...sandboxNetwork(gateways.testnet, live ?? quoter(pinned), node.sandbox, paths, paths.rates ?? pinned),
          feeAccount: config.networks.testnet.feeAccount,
          anchorEveryMs: config.networks.testnet.anchorEveryMs,
        }
      : network(gateways.testnet, live, 'testnet', paths, config.networks)
  const mainnet = network(gateways.mainnet, live, 'mainnet', paths, config.networks)
  return {
    testnet: testnet === null ? null : { ...testnet, recoverySigner },
    mainnet: mainnet === null ? null : { ...mainnet, recoverySigner },
  }
}

export const ledgerConfig = (config: Config, node: SandboxNode | null, alarm: LedgerConfig['alarm']): LedgerConfig => ({
  testnet: node === null ? configuredNodes(config, 'testnet') : nodesAt([node.rpcUrl], node.sandbox.networkPassphrase),
  mainnet: configuredNodes(config, 'mainnet'),
  alarm,
})

/** The servers that find paths, and the configured sources of rates, if any. */
export type Paths = {
  readonly finders: Readonly<Record<Environment, PathFinder | null>>
  readonly rates: RateSource | null
  readonly pricing: Pricing
}

export const pathsBy = (
  { pathsUrls }: Config,
  node: SandboxNode | null,
  live: LiveRates | null,
  closers: Closers,
): Paths => {
  const finderAt = (url: string | null): PathFinder | null =>
    url === null ? null : closedLater(closers, horizonPaths(url))
  const finders = {
    testnet: finderAt(pathsUrls.testnet ?? node?.rpcUrl ?? null),
    mainnet: finderAt(pathsUrls.mainnet),
  }
  return { finders, rates: live, pricing: pricingBy(live) }
}

/** Quotes by the configured sources; null without any. */
export const liveQuoter = (live: LiveRates | null, memory: RateMemories, watch: RateWatch): Pricer | null =>
  live === null ? null : quoter(live, { majors: live.majors, memory, pricing: pricingBy(live), watch })

/** Markets price well-known assets alone: an asset with the same code and another issuer is another asset. */
const pricingBy = (live: Pick<LiveRates, 'covers'> | null): Pricing =>
  pricingOf((asset) => live !== null && isWellKnown(asset) && live.covers(`${assetCode(asset)}/USD`))

/** Without sources of rates, a price must be stated in the asset itself or in its peg. */
const noRates: RateSource = {
  observe: ([pair = '']) =>
    TE.left({
      _tag: 'RateUnavailable',
      pair,
      reason: 'SourceUnreachable',
      cause: 'no sources of rates are configured for this network',
    }),
}

const network = (
  gateway: LedgerGateway | null,
  live: Pricer | null,
  environment: Environment,
  { finders, rates, pricing }: Paths,
  configured: Config['networks'],
): Network | null => {
  if (gateway === null) return null
  const { friendbotUrl, mandateContract, announcedUpgrade, feeAccount, anchorEveryMs, assets } = configured[environment]
  return {
    gateway,
    ...(live ?? quoter(noRates)),
    paths: pathMarket(finders[environment], rates ?? noRates, pricing, assets),
    assets,
    provision: null,
    setUpBalance: stroops(0n),
    isInBackups: false,
    friendbot: friendbotUrl === null ? null : friendbotAt(friendbotUrl),
    mandateContract,
    mandateCode: committedContract(),
    announcedUpgrade,
    feeAccount,
    anchorEveryMs,
  }
}

const pathMarket = (
  finder: PathFinder | null,
  rates: RateSource,
  pricing: Pricing,
  assets: ReadonlyArray<AcceptedAsset>,
): Network['paths'] => (finder === null ? null : { finder, reference: referenceFrom(rates, { pricing }), assets })

const descriptions: Readonly<Record<string, string>> = {
  XLM: 'Lumens, the native asset of Stellar',
  USDC: 'US dollars, issued by the sandbox',
  EURC: 'Euros, issued by the sandbox',
}

/** The first asset is the default of merchants: prices in currencies move little against dollars. */
const dollarsFirst = (one: { readonly code: string }, other: { readonly code: string }): number =>
  Number(other.code === 'USDC') - Number(one.code === 'USDC')

const sandboxAssets = (sandbox: Sandbox): ReadonlyArray<AcceptedAsset> =>
  [...sandbox.assets()].sort(dollarsFirst).map(({ assetId, code }) => {
    const asset = AcceptedAsset.decode({ assetId, description: descriptions[code] ?? code, pegged: code !== 'XLM' })
    if (E.isLeft(asset)) throw new Error(`the sandbox offers an asset without a proper name: ${assetId}`)
    return asset.right
  })

const decodedContract = (contract: string): ContractId => {
  if (ContractId.is(contract)) return contract
  throw new Error(`the sandbox names a contract that is none: ${contract}`)
}

/** 10,000 XLM. The sandbox pays for trustlines, so all of it is spendable. */
const granted = stroops(100_000_000_000n)

const sandboxNetwork = (
  gateway: LedgerGateway,
  pricer: Pricer,
  sandbox: Sandbox,
  { finders, pricing }: Paths,
  rates: RateSource,
): Network => ({
  gateway,
  ...pricer,
  paths: pathMarket(finders.testnet, rates, pricing, sandboxAssets(sandbox)),
  assets: sandboxAssets(sandbox),
  setUpBalance: granted,
  isInBackups: true,
  friendbot: (account) => async () => {
    const funded = await sandbox.fund({ address: account })()
    return E.isLeft(funded) ? E.left({ _tag: 'FriendbotFailed', reason: funded.left.code }) : E.right(undefined)
  },
  mandateContract: decodedContract(sandbox.mandateContract),
  provision: (secret) => async () => {
    const provided = await sandbox.provision(secret)()
    return E.isLeft(provided) ? E.left({ _tag: 'ProvisionFailed', reason: provided.left.code }) : E.right(undefined)
  },
})
