import { asText, type Text, type UnixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { RateObservation } from '../source.ts'
import { DecimalText } from './decimal.ts'

/** Tables change once a day; they are read once an hour. */
export const FIAT_TTL_SECONDS = 3600

/** Whether a table of currencies against the dollar can cover a pair. */
export const isFiatPair = (pair: string): boolean => pair.startsWith('USD/')

/** The observations of a table of units for one USD, by code in any case. Leaves out what is no decimal. */
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
