import { type AcceptedAsset, type AssetId, assetCode, CurrencyCode } from '@quittance/domain'
import { named } from '../named.ts'
import type { PricedAsset } from './source.ts'

/** The properties of an accepted asset that determine its price. */
export type Peggable = Pick<AcceptedAsset, 'assetId' | 'pegged' | 'peg'>

/** How a network's assets are priced. */
export type Pricing = (asset: Peggable) => PricedAsset

/** Codes of pegged assets whose currency is not USD. */
const PEGS: ReadonlyMap<string, CurrencyCode> = new Map([['EURC', named(CurrencyCode, 'EUR')]])
const USD = named(CurrencyCode, 'USD')

/**
 * The peg of an accepted asset: the currency that it names, or that its code implies, otherwise USD; null if not
 * pegged.
 */
export const pegOf = ({ assetId, pegged, peg }: Peggable): CurrencyCode | null =>
  peg ?? (pegged ? (PEGS.get(assetCode(assetId)) ?? USD) : null)

/**
 * Prices accepted assets. An asset that names its peg is at par with that currency, unless `isObserved` says that the
 * sources cover this asset, and not another one of the same code: then their rate counts, and it must keep the peg. A
 * pegged asset that names no currency is always observed.
 */
export const pricingOf =
  (isObserved: (asset: AssetId) => boolean): Pricing =>
  (asset) => {
    const { assetId, peg } = asset
    const code = assetCode(assetId)
    if (peg !== undefined && !isObserved(assetId)) return { assetId, code, peg, isAtPar: true }
    return { assetId, code, peg: pegOf(asset), isAtPar: false }
  }
