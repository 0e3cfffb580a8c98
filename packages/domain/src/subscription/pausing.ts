import { nothing } from '../shared/decider.ts'
import { secondMs, unixMs } from '../shared/units.ts'
import type { Pause, Resume } from './commands.ts'
import { type Decision, forbidden, record, reject } from './decision.ts'
import { wholeSecond } from './period.ts'
import type { SubscriptionRecord } from './state.ts'

/** At once. A charge that is on its way cannot be called back; if it lands, its period is paid for. */
export const pause = ({ at }: Pause, state: SubscriptionRecord): Decision => {
  const { lifecycle } = state
  switch (lifecycle._tag) {
    case 'canceled':
      return forbidden(state)
    case 'running':
      return record({ type: 'Paused', data: { at } })
    case 'paused':
      return lifecycle.resuming === null
        ? nothing
        : record({ type: 'ResumeFailed', data: { cause: 'paused_again', at } })
  }
}

/**
 * Back to what was interrupted: a paid period, or the rest of a trial, which then ends at the next whole second. Otherwise
 * it is charged first, and goes on once that is confirmed.
 */
export const resume = ({ at }: Resume, state: SubscriptionRecord): Decision => {
  const { lifecycle, cancellation, covered, anchor, status } = state
  if (lifecycle._tag === 'canceled') return forbidden(state)
  if (lifecycle._tag !== 'paused') return reject({ _tag: 'NotPaused', status })
  if (lifecycle.resuming !== null) return nothing
  if (cancellation !== null && at >= cancellation.endsAt) {
    return reject({ _tag: 'CancellationIsDue', endsAt: cancellation.endsAt })
  }
  if (covered.kind === 'paid' && at < covered.period.end) return record({ type: 'Resumed', data: { at, trial: null } })
  if (lifecycle.trialRestMs === null) return record({ type: 'ResumeRequested', data: { at } })
  const end = wholeSecond(unixMs(at + lifecycle.trialRestMs + secondMs - 1))
  const trial = { period: { start: covered.period.start, end }, anchor: { at: end, n: anchor.n } }
  return record({ type: 'Resumed', data: { at, trial } })
}
