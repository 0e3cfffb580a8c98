import { positiveCount, type UnixMs } from '../shared/units.ts'
import type { LaterEvent } from './decision.ts'
import type { NextCharge } from './next-charge.ts'
import type { SubscriptionRecord } from './state.ts'
import type { LostPeriods, SubscriptionTerms } from './terms.ts'

/** What an event says of periods that are lost; nothing of none. */
export const lostPeriods = ({ price }: SubscriptionTerms, periods: number): { readonly lost?: LostPeriods } =>
  periods > 0 ? { lost: { periods: positiveCount(periods), price } } : {}

/** Periods that are forgiven with a charge. They are lost if the customer has failed no charge. */
export const forgive = (
  { collection, terms }: SubscriptionRecord,
  { forgiven }: Pick<NextCharge, 'forgiven'>,
  at: UnixMs,
): ReadonlyArray<LaterEvent> => {
  if (forgiven === null) return []
  const lost = collection._tag === 'current' ? lostPeriods(terms, forgiven.to - forgiven.from + 1) : {}
  return [{ type: 'PeriodsForgiven', data: { ...forgiven, at, ...lost } }]
}
