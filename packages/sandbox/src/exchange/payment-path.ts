import type { xdr } from '@stellar/stellar-sdk'

/** What is to arrive, in stroops, and with which assets it may be paid. `payer` cannot take its own offers. */
export type PathQuery = {
  readonly destAsset: xdr.Asset
  readonly destAmount: bigint
  readonly sendAssets: ReadonlyArray<xdr.Asset>
  readonly payer?: xdr.PublicKey
}

/** The cheapest way to pay with an asset: what it costs, in stroops, and the assets between, as an operation names them. */
export type PaymentPath = {
  readonly sendAsset: xdr.Asset
  readonly sendAmount: bigint
  readonly path: ReadonlyArray<xdr.Asset>
}
