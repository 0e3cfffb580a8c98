import { type RecordedEvent, Subscription, type SubscriptionEvent, UnixMs } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/**
 * Since when an operator may have to look at a subscription: a charge of it is stuck, or attempts are stopped. The state of
 * the subscription says whether that still holds. A subscription that never alarmed has no row.
 */
export const SubscriptionAlarmRow = t.strict({
  stuckSince: t.union([t.null, UnixMs]),
  stoppedSince: t.union([t.null, UnixMs]),
})
export type SubscriptionAlarmRow = t.TypeOf<typeof SubscriptionAlarmRow>

type EventType = SubscriptionEvent['type']
const settled: ReadonlyArray<EventType> = ['ChargeConfirmed', 'InvoiceSettled', 'SubscriptionCanceled']
const endsStuck: ReadonlySet<EventType> = new Set([...settled, 'BecameOverdue', 'Paused', 'Resumed', 'ResumeFailed'])
const endsStop: ReadonlySet<EventType> = new Set([...settled, 'AttemptsAllowed', 'ChargeAttempted'])

const decode = decodedBy(Subscription)
const none: SubscriptionAlarmRow = { stuckSince: null, stoppedSince: null }

const fold = (row: O.Option<SubscriptionAlarmRow>, recorded: RecordedEvent): O.Option<SubscriptionAlarmRow> => {
  const { type, data } = decode(recorded)
  // An invoice for what no attempt could settle ends nothing: the charge is still stuck.
  if (type === 'BecameOverdue' && data.unsettled !== undefined) return row
  const known = O.getOrElse(() => none)(row)
  if (type === 'OperatorAlarmed') return O.some({ ...known, stuckSince: known.stuckSince ?? data.at })
  if (type === 'AttemptsStopped') return O.some({ ...known, stoppedSince: data.at })
  return O.map(({ stuckSince, stoppedSince }: SubscriptionAlarmRow) => ({
    stuckSince: endsStuck.has(type) ? null : stuckSince,
    stoppedSince: endsStop.has(type) ? null : stoppedSince,
  }))(row)
}

/** Due while an operator may have to look, the oldest alarm first. */
export const subscriptionAlarms: ReadModel<SubscriptionAlarmRow> = {
  name: 'subscription_alarms',
  version: 2,
  category: Subscription.category,
  row: SubscriptionAlarmRow,
  fold,
  columns: ({ stuckSince, stoppedSince }) => ({ dueAt: earlier(stuckSince, stoppedSince) }),
}

const earlier = (one: UnixMs | null, other: UnixMs | null): UnixMs | null => {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}
