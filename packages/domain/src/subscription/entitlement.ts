import { nothing } from '../shared/decider.ts'
import { dayMs, hourMs, type UnixMs, unixMs } from '../shared/units.ts'
import type { EndAccess } from './commands.ts'
import { type Decision, record, reject } from './decision.ts'
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

/** How long access outlasts its period while a charge settles. */
const settlementWindowMs = hourMs
/** The same while no charge is decided for a cause on our side, whatever it is: also if nobody works at all. */
export const undecidedMs = 7 * dayMs

/**
 * When time alone ends the access that a subscription gives, unless something happens before; null where it gives none.
 * After its period it goes on while the charge is undecided, but not where too many attempts were stopped.
 */
export const accessEndsAt = (state: SubscriptionRecord): UnixMs | null => {
  const { lifecycle, collection, covered, cancellation, stoppedUntil } = state
  const { end } = covered.period
  if (lifecycle._tag === 'canceled') return null
  if (lifecycle._tag === 'paused') return covered.kind === 'paid' && lifecycle.at < end ? end : null
  if (collection._tag !== 'current') return collection.graceUntil
  if (cancellation !== null) return end
  return unixMs(end + (stoppedUntil === null ? undecidedMs : settlementWindowMs))
}

/**
 * What a subscription entitles its customer to at a moment, by what is known of it; null for nothing. What goes on is
 * entitled also between a period's end and the outcome of its charge, but not to moments after `now`, of which nobody knows.
 */
export const entitlementAt = (state: SubscriptionRecord, at: UnixMs, now: UnixMs): Entitlement | null => {
  const { lifecycle, collection, covered } = state
  const last = accessEndsAt(state)
  if (last === null || at >= last) return null
  if (lifecycle._tag === 'paused') return { status: 'paused', until: last, graceUntil: null }
  if (collection._tag !== 'current') return { status: 'active', until: last, graceUntil: last }
  const status = covered.kind === 'trial' ? 'trialing' : 'active'
  const { end } = covered.period
  if (at < end) return { status, until: end, graceUntil: null }
  return at <= now ? { status, until: null, graceUntil: null } : null
}

/** Recorded once for each time that it ends. */
export const endAccess = ({ at }: EndAccess, state: SubscriptionRecord): Decision => {
  const end = accessEndsAt(state)
  if (end === null || at < end) return reject({ _tag: 'NotDue', dueAt: end })
  return end <= (state.accessEndedAt ?? 0) ? nothing : record({ type: 'AccessEnded', data: { at } })
}
