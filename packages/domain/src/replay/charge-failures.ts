import { defaultPolicy, type Policy } from '../merchant/index.ts'
import { count, dayMs, hourMs, minuteMs, positiveCount } from '../shared/units.ts'
import { undecidedMs } from '../subscription/entitlement.ts'
import type { SubscriptionEvent, SubscriptionRecord } from '../subscription/index.ts'

export type ChargeFailed = Extract<SubscriptionEvent, { readonly type: 'ChargeFailed' }>['data']

/**
 * The policies of a merchant under which a failure has these consequences: what they say about grace, and each table of
 * retries with the recorded next one and final notice.
 */
export const policiesBehind = (state: SubscriptionRecord, failure: ChargeFailed): ReadonlyArray<Policy> => {
  const accessGraceDays = graceDays(state, failure)
  if (accessGraceDays === null) return []
  return schedules(state, failure).map((hours) => ({
    ...defaultPolicy,
    accessGraceDays: count(accessGraceDays),
    dunningScheduleHours: hours.map(positiveCount),
  }))
}

const sinceOf = ({ collection }: SubscriptionRecord, { failedAt }: ChargeFailed): number =>
  collection._tag === 'dunning' ? collection.since : failedAt

const wholeOrNull = (value: number): number | null => (Number.isSafeInteger(value) && value >= 0 ? value : null)

const graceDays = (state: SubscriptionRecord, failure: ChargeFailed): number | null => {
  if (failure.graceUntil === null) return 0
  const since = Math.min(sinceOf(state, failure), state.covered.period.end + undecidedMs)
  return wholeOrNull((failure.graceUntil - since) / dayMs)
}

/** In hours since the first failure. Only a lack of money follows the table. */
const schedules = (state: SubscriptionRecord, failure: ChargeFailed): ReadonlyArray<ReadonlyArray<number>> => {
  const { outcome, counts, retryAt, finalNoticeAt } = failure
  if (outcome !== 'money' || !counts || retryAt === null || finalNoticeAt === null) return [[]]
  const since = sinceOf(state, failure)
  const next = hoursFrom(since, retryAt)
  if (next === null) return []
  const [notice, last] = [hoursFrom(since, finalNoticeAt), hoursFrom(since, finalNoticeAt + dayMs)]
  return [
    [next],
    [next, next + 1],
    ...(notice === null || notice === 0 ? [] : notice < next ? [[notice, next]] : [[next, notice, notice + 1]]),
    ...(last === null || last <= next ? [] : [[next, last]]),
  ].filter((hours) => hours.every((each, index) => each > (hours[index - 1] ?? 0)))
}

const hoursFrom = (since: number, at: number): number | null => wholeOrNull((at - since) / hourMs)

const latestMs = 30 * minuteMs

/** The jitter, from 0 to 1, that moves a retry by so much; null where none does. */
export const jitterBehind = (waitMs: number, offsetMs: number): number | null => {
  if (offsetMs === 0) return 0
  const jitter = (offsetMs + 0.5) / Math.min(latestMs, waitMs / 4)
  return jitter < 1 ? jitter : null
}
