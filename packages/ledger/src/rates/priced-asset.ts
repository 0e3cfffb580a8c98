import { type AssetId, assetCode, CurrencyCode } from '@quittance/domain'
import { named } from '../named.ts'
import type { PricedAsset } from './source.ts'

/** Codes of pegged assets whose currency is not USD. */
const PEGS: ReadonlyMap<string, CurrencyCode> = new Map([['EURC', named(CurrencyCode, 'EUR')]])
const USD = named(CurrencyCode, 'USD')

/**
 * An accepted asset as the rates see it. A pegged one of unknown code is taken to promise one USD: if it does not, its
 * peg check fails and there is no quote.
 */
export const pricedAsset = (assetId: AssetId, pegged: boolean): PricedAsset => {
  const code = assetCode(assetId)
  return { assetId, code, peg: pegged ? (PEGS.get(code) ?? USD) : null }
}
