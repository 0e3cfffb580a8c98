import { Asset, type Keypair } from '@stellar/stellar-sdk'
import type { Network } from '../network.ts'

/**
 * An asset that the market maker trades. `usdCents` is its pinned price; each offer to sell it is topped up to `depth`,
 * in stroops; `supplier` pays the maker more of it.
 */
export type Stock = {
  readonly asset: Asset
  readonly supplier: Keypair
  readonly usdCents: number
  readonly depth: bigint
}

const terms = {
  XLM: { usdCents: 25, depth: 43_200_000_000_000n },
  USDC: { usdCents: 100, depth: 10_000_000_000_000n },
  EURC: { usdCents: 108, depth: 10_000_000_000_000n },
}

/** XLM, USDC and EURC at the sandbox's pinned rates. */
export const stocksOf = ({ root, issuers }: Network): ReadonlyArray<Stock> => [
  { asset: Asset.native(), supplier: root, ...terms.XLM },
  ...issuers.map(({ code, keypair }) => ({
    asset: new Asset(code, keypair.publicKey()),
    supplier: keypair,
    ...terms[code],
  })),
]

/** One of the maker's offers: it sells one stock for the other. */
export type StandingOffer = { readonly sells: Stock; readonly takes: Stock }

export const standingOffers = (stocks: ReadonlyArray<Stock>): ReadonlyArray<StandingOffer> =>
  stocks.flatMap((sells) => stocks.filter((each) => each !== sells).map((takes) => ({ sells, takes })))

/** The pinned rate plus a margin of one thousandth. */
export const priceOf = ({ sells, takes }: StandingOffer) => ({ n: sells.usdCents * 1_001, d: takes.usdCents * 1_000 })
