import { type Cents, maximumCents } from '../shared/cents.ts'
import type { UnixMs } from '../shared/units.ts'
import type { Limit, LimitsEvent, Outflow } from './events.ts'

/** `counted` are the outflows of 24 hours, as of the newest. */
export type LimitsState = { readonly limits: ReadonlyArray<Limit>; readonly counted: ReadonlyArray<Outflow> }

export const initial: LimitsState = { limits: [], counted: [] }

/** The time in which outflows are added up, wherever midnight falls; and how long a raise waits. */
export const limitWindowMs = 24 * 3_600_000

export const isSameLimit = (one: Pick<Limit, 'setter' | 'scope'>, other: Pick<Limit, 'setter' | 'scope'>): boolean =>
  one.setter === other.setter && one.scope === other.scope

export const evolve = (state: LimitsState, { type, data }: LimitsEvent): LimitsState => {
  switch (type) {
    case 'LimitSet':
      return { ...state, limits: [...state.limits.filter((each) => !isSameLimit(each, data)), data] }
    case 'OutflowCounted':
      return { ...state, counted: [...recent(state.counted, data.at), data] }
    case 'ApprovalNeeded':
      return state
  }
}

/** The outflows that still count at a moment. */
export const recent = (counted: ReadonlyArray<Outflow>, now: UnixMs): ReadonlyArray<Outflow> =>
  counted.filter(({ at }) => at > now - limitWindowMs)

/** When a limit's amount counts. A raise from before a restored log was accepted waits again. */
export const countsFrom = ({ setAt, effectiveAt }: Limit, acceptedAt: UnixMs | null): number =>
  effectiveAt > setAt && acceptedAt !== null && setAt <= acceptedAt
    ? Math.max(effectiveAt, acceptedAt + limitWindowMs)
    : effectiveAt

/** The amount that counts at a moment. */
export const amountAt = (limit: Limit, at: UnixMs, acceptedAt: UnixMs | null): Cents | null =>
  at < countsFrom(limit, acceptedAt) ? limit.before : limit.amount

/** Whether any limit counts at a moment. */
export const isLimited = ({ limits }: LimitsState, at: UnixMs, acceptedAt: UnixMs | null): boolean =>
  limits.some((limit) => amountAt(limit, at, acceptedAt) !== null)

/** The sum of outflows; null if the value of one is unknown. */
export const sumOf = (outflows: ReadonlyArray<Pick<Outflow, 'value'>>): bigint | null =>
  outflows.reduce<bigint | null>((sum, { value }) => (sum === null || value === null ? null : sum + value), 0n)

/** The outflows that a limit bounds together with those of a requester. */
export const boundTogether = (
  { scope }: Pick<Limit, 'scope'>,
  counted: ReadonlyArray<Outflow>,
  requester: string | null,
): ReadonlyArray<Outflow> | null => {
  if (scope === 'merchant') return counted
  if (scope !== 'each_key' && scope !== requester) return null
  return counted.filter((each) => each.requester === requester || each.requester === null)
}

export const isHigher = (one: Cents | null, other: Cents | null): boolean =>
  (one ?? maximumCents + 1n) > (other ?? maximumCents + 1n)
