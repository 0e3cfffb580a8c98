import type { UnixMs } from '../shared/units.ts'
import type { SubscriptionRecord } from './state.ts'

/**
 * Access that a subscription gives. `until` is when it ends unless more is paid; null while a charge decides whether it goes
 * on. `graceUntil` is set in days of grace.
 */
export type Entitlement = {
  readonly status: 'active' | 'trialing' | 'paused'
  readonly until: UnixMs | null
  readonly graceUntil: UnixMs | null
}

/**
 * What a subscription entitles its customer to at a moment, by what is known of it; null for nothing. What goes on is
 * entitled also between a period's end and the outcome of its charge, but not to moments after `now`, of which nobody knows.
 */
export const entitlementAt = (state: SubscriptionRecord, at: UnixMs, now: UnixMs): Entitlement | null => {
  const { lifecycle, collection, covered, cancellation } = state
  const { end } = covered.period
  if (lifecycle._tag === 'canceled') return null
  if (lifecycle._tag === 'paused') {
    return covered.kind === 'paid' && at < end ? { status: 'paused', until: end, graceUntil: null } : null
  }
  if (collection._tag !== 'current') {
    const { graceUntil } = collection
    return graceUntil !== null && at < graceUntil ? { status: 'active', until: graceUntil, graceUntil } : null
  }
  const goesOn = cancellation === null && at <= now
  const status = covered.kind === 'trial' ? 'trialing' : 'active'
  if (at < end) return { status, until: end, graceUntil: null }
  return goesOn ? { status, until: null, graceUntil: null } : null
}
