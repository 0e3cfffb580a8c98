import { Asset, type Keypair } from '@stellar/stellar-sdk'
import type { Network } from '../network.ts'

/**
 * An asset the market maker trades. `usdCents` is its pinned price, `depth` what each offer to sell it is brought back
 * to, in stroops; `giver` gives the maker more of it.
 */
export type Stock = {
  readonly asset: Asset
  readonly giver: Keypair
  readonly usdCents: number
  readonly depth: bigint
}

const terms = {
  XLM: { usdCents: 25, depth: 43_200_000_000_000n },
  USDC: { usdCents: 100, depth: 10_000_000_000_000n },
  EURC: { usdCents: 108, depth: 10_000_000_000_000n },
}

/** XLM, USDC and EURC at the rates that the sandbox pins. */
export const stocksOf = ({ root, issuers }: Network): ReadonlyArray<Stock> => [
  { asset: Asset.native(), giver: root, ...terms.XLM },
  ...issuers.map(({ code, keypair }) => ({
    asset: new Asset(code, keypair.publicKey()),
    giver: keypair,
    ...terms[code],
  })),
]

/** One of the maker's offers: it sells the one stock and is paid in the other. */
export type StandingOffer = { readonly sells: Stock; readonly takes: Stock }

/** Each stock against each other one. */
export const standingOffers = (stocks: ReadonlyArray<Stock>): ReadonlyArray<StandingOffer> =>
  stocks.flatMap((sells) => stocks.filter((each) => each !== sells).map((takes) => ({ sells, takes })))

/** What one unit costs: the pinned rate, and a thousandth of it for the maker. */
export const priceOf = ({ sells, takes }: StandingOffer) => ({ n: sells.usdCents * 1_001, d: takes.usdCents * 1_000 })
