import { asText, type Text, type UnixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { RateObservation } from '../source.ts'
import { DecimalText } from './decimal.ts'

/** Tables are made once a day; what they say is asked for once an hour. */
export const FIAT_TTL_SECONDS = 3600

/** Every pair that a table of currencies against the dollar can speak of. */
export const isFiatPair = (pair: string): boolean => pair.startsWith('USD/')

/** Of a table of units for one USD, by code in any case. What is no decimal is left out: the others stand. */
export const fiatObservations = (
  source: Text,
  table: Readonly<Record<string, unknown>>,
  observedAt: UnixMs,
): ReadonlyArray<RateObservation> =>
  Object.entries(table).flatMap(([code, units]) => {
    const rate = DecimalText.decode(units)
    if (E.isLeft(rate) || !/^[A-Za-z]{3}$/.test(code)) return []
    return [{ source, pair: asText(`USD/${code.toUpperCase()}`), rate: rate.right, observedAt }]
  })
