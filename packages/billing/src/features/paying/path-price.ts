import type { AcceptedAsset, AssetId, Stroops, UnixMs } from '@quittance/domain'
import {
  highestPrice,
  type PathOffer,
  type PathsUnavailable,
  type PriceKind,
  sendMaxOf,
  slippageBetween,
} from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { PathMarket } from '../../services/services.ts'

/**
 * A path, and the most that it may send. Above `highest` the path is too expensive by the rates; null if no rate is
 * known for one of the two assets.
 */
export type PricedPath = { readonly offer: PathOffer; readonly sendMax: Stroops; readonly highest: Stroops | null }

/** Why a wallet cannot pay with an asset of its choice. Amounts are in stroops of that asset. */
export type PathRefused =
  | { readonly _tag: 'NoPath'; readonly assetId: AssetId }
  | { readonly _tag: 'PathTooExpensive'; readonly sendAmount: Stroops; readonly highest: Stroops }
  /** No rate is known for the asset: the payer must state the most to send. */
  | { readonly _tag: 'SendMaxRequired'; readonly sendAmount: Stroops }

export type PathFailure = PathRefused | PathsUnavailable | { readonly _tag: 'PathsNotConfigured' }

export type Due = { readonly assetId: AssetId; readonly amount: Stroops }

/** Compares whole asset ids: an asset with the same code and another issuer is another asset, without a known rate. */
const knownAsset = (known: ReadonlyArray<AcceptedAsset>, assetId: AssetId): AcceptedAsset | null =>
  known.find((each) => each.assetId === assetId) ?? null

const kindOf = (asset: AcceptedAsset | null): PriceKind =>
  asset === null ? 'other' : asset.pegged ? 'pegged' : asset.assetId === 'native' ? 'native' : 'other'

/** The paths that pay the due amount with each of some assets. Rates are requested for the `known` assets only. */
export const pricedPaths = async (
  { finder, reference }: PathMarket,
  known: ReadonlyArray<AcceptedAsset>,
  due: Due,
  sendAssets: ReadonlyArray<AssetId>,
  at: UnixMs,
): Promise<E.Either<PathsUnavailable, ReadonlyArray<PricedPath>>> => {
  const destination = knownAsset(known, due.assetId)
  const wanted = { destinationAsset: due.assetId, destinationAmount: due.amount, sourceAssets: sendAssets }
  const offers = await finder.strictReceive(wanted)()
  if (E.isLeft(offers)) return offers
  const priced = offers.right.map(async (offer): Promise<PricedPath> => {
    const send = knownAsset(known, offer.sendAsset)
    const sendMax = sendMaxOf(offer.sendAmount, slippageBetween(kindOf(send), kindOf(destination)))
    const worth = send === null || destination === null ? null : await reference(due.amount, destination, send, at)()
    return { offer, sendMax, highest: worth === null ? null : highestPrice(worth) }
  })
  return E.right(await Promise.all(priced))
}

/**
 * The path with the bounds that apply: within 3 % of the rates, and within the payer's own maximum, which replaces a
 * missing rate and lowers a known bound.
 */
export const acceptable = (
  assetId: AssetId,
  path: PricedPath | undefined,
  agreed: Stroops | null,
): E.Either<PathRefused, PricedPath> => {
  if (path === undefined) return E.left({ _tag: 'NoPath', assetId })
  const { sendAmount } = path.offer
  const highest = lowest(path.highest, agreed)
  if (highest === null) return E.left({ _tag: 'SendMaxRequired', sendAmount })
  if (sendAmount > highest) return E.left({ _tag: 'PathTooExpensive', sendAmount, highest })
  return E.right(agreed !== null && agreed < path.sendMax ? { ...path, sendMax: agreed } : path)
}

const lowest = (one: Stroops | null, other: Stroops | null): Stroops | null =>
  one === null || (other !== null && other < one) ? other : one
