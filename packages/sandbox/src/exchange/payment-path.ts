import type { xdr } from '@stellar/stellar-sdk'

/** The amount to deliver, in stroops, and the assets that may pay for it. `payer` cannot take its own offers. */
export type PathQuery = {
  readonly destAsset: xdr.Asset
  readonly destAmount: bigint
  readonly sendAssets: ReadonlyArray<xdr.Asset>
  readonly payer?: xdr.PublicKey
}

/** The cheapest path from an asset: its cost in stroops, and the assets between, as an operation names them. */
export type PaymentPath = {
  readonly sendAsset: xdr.Asset
  readonly sendAmount: bigint
  readonly path: ReadonlyArray<xdr.Asset>
}
