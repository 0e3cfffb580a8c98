import type { Network } from '@quittance/billing'
import { quoter } from '@quittance/billing'
import { AcceptedAsset } from '@quittance/domain'
import type { LedgerGateway, LedgerGateways, RateSource } from '@quittance/ledger'
import type { Sandbox } from '@quittance/sandbox'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** The testnet, which is the sandbox unless a node is configured, and the mainnet, if one is. */
export const networks = (gateways: LedgerGateways, sandboxRates: RateSource, sandbox: Sandbox | null) => ({
  testnet:
    gateways.testnet !== null && sandbox !== null
      ? sandboxNetwork(gateways.testnet, sandboxRates, sandbox)
      : network(gateways.testnet),
  mainnet: network(gateways.mainnet),
})

/** No sources of rates can be named yet, so what is priced in a currency cannot be sold; in an asset, it can. */
const noRates: RateSource = {
  observe: ([pair = '']) =>
    TE.left({
      _tag: 'RateUnavailable',
      pair,
      reason: 'SourceUnreachable',
      cause: 'no sources of rates are configured for this network',
    }),
}

const network = (gateway: LedgerGateway | null): Network | null =>
  gateway === null ? null : { gateway, quote: quoter(noRates), assets: [], provision: null }

const descriptions: Readonly<Record<string, string>> = {
  XLM: 'Lumens, the native asset of Stellar',
  USDC: 'US dollars, issued by the sandbox',
  EURC: 'Euros, issued by the sandbox',
}

/** The first asset is what merchants take by default: against dollars, prices in currencies move little. */
const dollarsFirst = (one: { readonly code: string }, other: { readonly code: string }): number =>
  Number(other.code === 'USDC') - Number(one.code === 'USDC')

const sandboxNetwork = (gateway: LedgerGateway, rates: RateSource, sandbox: Sandbox): Network => ({
  gateway,
  quote: quoter(rates),
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
