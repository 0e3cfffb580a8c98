import { type AcceptedAsset, type AssetId, assetCode, CurrencyCode } from '@quittance/domain'
import { named } from '../named.ts'
import type { PricedAsset } from './source.ts'

/** What is known of an asset that a merchant accepts, as far as it has to do with its worth. */
export type Peggable = Pick<AcceptedAsset, 'assetId' | 'pegged' | 'peg'>

/** How a network's assets are priced. */
export type Pricing = (asset: Peggable) => PricedAsset

/** Codes of pegged assets whose currency is not USD. */
const PEGS: ReadonlyMap<string, CurrencyCode> = new Map([['EURC', named(CurrencyCode, 'EUR')]])
const USD = named(CurrencyCode, 'USD')

/** The currency that an accepted asset promises: what it names, or what its code says, otherwise USD; null if not pegged. */
export const pegOf = ({ assetId, pegged, peg }: Peggable): CurrencyCode | null =>
  peg ?? (pegged ? (PEGS.get(assetCode(assetId)) ?? USD) : null)

/**
 * Prices accepted assets. An asset that names its peg is worth that currency, unit for unit, unless `isObserved` says that the
 * sources speak of this very asset, and not of another one of the same code: then their rate counts, and it must keep the
 * peg. A pegged asset that names no currency is always observed.
 */
export const pricingOf =
  (isObserved: (asset: AssetId) => boolean): Pricing =>
  (asset) => {
    const { assetId, peg } = asset
    const code = assetCode(assetId)
    if (peg !== undefined && !isObserved(assetId)) return { assetId, code, peg, isAtPar: true }
    return { assetId, code, peg: pegOf(asset), isAtPar: false }
  }
