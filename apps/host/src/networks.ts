import { type Network, type Quoter, quoter } from '@quittance/billing'
import { AcceptedAsset } from '@quittance/domain'
import type { LedgerGateway, LedgerGateways, RateSource } from '@quittance/ledger'
import type { Sandbox } from '@quittance/sandbox'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'

/**
 * The testnet, which is the sandbox unless a node is configured, and the mainnet, if one is. `live` quotes by the sources
 * that are configured, on every network; without it the sandbox has pinned rates, and the others none.
 */
export const networks = (
  gateways: LedgerGateways,
  pinned: RateSource,
  live: Quoter | null,
  sandbox: Sandbox | null,
) => ({
  testnet:
    gateways.testnet !== null && sandbox !== null
      ? sandboxNetwork(gateways.testnet, live ?? quoter(pinned), sandbox)
      : network(gateways.testnet, live),
  mainnet: network(gateways.mainnet, live),
})

/** Without sources of rates, what is priced in a currency cannot be sold; in an asset, it can. */
const noRates: RateSource = {
  observe: ([pair = '']) =>
    TE.left({
      _tag: 'RateUnavailable',
      pair,
      reason: 'SourceUnreachable',
      cause: 'no sources of rates are configured for this network',
    }),
}

const network = (gateway: LedgerGateway | null, live: Quoter | null): Network | null =>
  gateway === null ? null : { gateway, quote: live ?? quoter(noRates), assets: [], provision: null }

const descriptions: Readonly<Record<string, string>> = {
  XLM: 'Lumens, the native asset of Stellar',
  USDC: 'US dollars, issued by the sandbox',
  EURC: 'Euros, issued by the sandbox',
}

/** The first asset is what merchants take by default: against dollars, prices in currencies move little. */
const dollarsFirst = (one: { readonly code: string }, other: { readonly code: string }): number =>
  Number(other.code === 'USDC') - Number(one.code === 'USDC')

const sandboxNetwork = (gateway: LedgerGateway, quote: Quoter, sandbox: Sandbox): Network => ({
  gateway,
  quote,
  assets: [...sandbox.assets()].sort(dollarsFirst).map(({ assetId, code }) => {
    const asset = AcceptedAsset.decode({ assetId, description: descriptions[code] ?? code, pegged: code !== 'XLM' })
    if (E.isLeft(asset)) throw new Error(`the sandbox offers an asset without a proper name: ${assetId}`)
    return asset.right
  }),
  provision: (secret) =>
    pipe(
      sandbox.provision(secret),
      TE.bimap(
        ({ code }) => ({ _tag: 'ProvisionFailed', reason: code }),
        () => undefined,
      ),
    ),
})
