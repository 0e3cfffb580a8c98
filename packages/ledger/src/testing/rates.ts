import { AssetId, asText, CurrencyCode, cents, type UnixMs, unixMs } from '@quittance/domain'
import { named } from '../named.ts'
import { MAJOR_CURRENCIES, type QuoteRequest } from '../rates/quote.ts'
import type { PricedAsset, RateObservation } from '../rates/source.ts'
import { alice } from './ledgers.ts'

/** A Wednesday, 12:00 UTC. */
export const wednesday = unixMs(Date.UTC(2026, 10, 4, 12))

export const currency = (code: string): CurrencyCode => named(CurrencyCode, code)

export const xlm: PricedAsset = { assetId: named(AssetId, 'native'), code: 'XLM', peg: null, isAtPar: false }
export const usdc: PricedAsset = {
  assetId: named(AssetId, `USDC:${alice}`),
  code: 'USDC',
  peg: currency('USD'),
  isAtPar: false,
}
export const eurc: PricedAsset = {
  assetId: named(AssetId, `EURC:${alice}`),
  code: 'EURC',
  peg: currency('EUR'),
  isAtPar: false,
}

export const observed = (
  pair: string,
  rate: string,
  source = 'a',
  observedAt: UnixMs = wednesday,
): RateObservation => ({ source: asText(source), pair: asText(pair), rate: asText(rate), observedAt })

/** Several sources, `a`, `b`, … that say so at one time. */
export const agreeing = (
  pair: string,
  rates: ReadonlyArray<string>,
  observedAt: UnixMs = wednesday,
): ReadonlyArray<RateObservation> =>
  rates.map((rate, index) => observed(pair, rate, String.fromCharCode(97 + index), observedAt))

/** Ten USD in XLM, with no rates yet. */
export const request: QuoteRequest = {
  cents: cents(1000n),
  currency: currency('USD'),
  asset: xlm,
  observations: [],
  memory: new Map(),
  majors: MAJOR_CURRENCIES,
  now: wednesday,
}
