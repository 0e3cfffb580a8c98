import type { UnixMs } from '../shared/units.ts'
import { chargeAt, nextPeriodStart } from './next-charge.ts'
import type { PriceChangeSeen, SubscriptionRecord } from './state.ts'
import type { FiatPrice } from './terms.ts'

/** The price change that waits for its first charge; null for none. */
export const waitingPriceChange = ({ priceChange }: Pick<SubscriptionRecord, 'priceChange'>): PriceChangeSeen | null =>
  priceChange?.ended === null ? priceChange : null

/** Whether it needs a signature that the customer has not given. */
const lacksConsent = ({ needsConsent, acceptedAt }: PriceChangeSeen): boolean => needsConsent && acceptedAt === null

/** Whether the customer is to be asked for their consent, or has been. Nobody is who leaves anyway. */
export const isConsentOpen = (
  state: SubscriptionRecord,
): state is SubscriptionRecord & { readonly priceChange: PriceChangeSeen } => {
  const waiting = waitingPriceChange(state)
  return waiting !== null && lacksConsent(waiting) && state.cancellation === null
}

/**
 * The price change that counts for what would be charged at a moment: its period begins when the change is effective, or
 * later. What was invoiced keeps its price.
 */
export const priceChangeFor = (state: SubscriptionRecord, now: UnixMs): PriceChangeSeen | null => {
  const waiting = waitingPriceChange(state)
  const isInvoice = state.lifecycle._tag === 'running' && state.collection._tag === 'invoiced'
  if (waiting === null || isInvoice) return null
  return chargeAt(state, now).period.start >= waiting.effectiveAt ? waiting : null
}

/** What the next period on the schedule will cost, as far as is known: a price that lacks consent does not count. */
export const priceAhead = (state: SubscriptionRecord): FiatPrice => {
  const waiting = waitingPriceChange(state)
  if (waiting === null || lacksConsent(waiting)) return state.terms.price
  return nextPeriodStart(state) >= waiting.effectiveAt ? waiting.price : state.terms.price
}
