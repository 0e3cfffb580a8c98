import { nothing } from '../shared/decider.ts'
import { dayMs, type UnixMs, unixMs } from '../shared/units.ts'
import { requestAfterPreflight } from './authorization.ts'
import type { AnnounceRenewal, AnnounceTrialEnd } from './commands.ts'
import { type Decision, forbidden, type LaterEvent, record, reject } from './decision.ts'
import type { SubscriptionRecord } from './state.ts'

/** Three days ahead; of a trial below three days, one day; of a period below a week, and of a trial below a day, never. */
const noticeMs = (kind: 'trial' | 'paid', lengthMs: number): number | null => {
  if (kind === 'paid') return lengthMs >= 7 * dayMs ? 3 * dayMs : null
  if (lengthMs >= 3 * dayMs) return 3 * dayMs
  return lengthMs >= dayMs ? dayMs : null
}

/** When the next charge is to be announced; null where it was, where none will come, or once it was tried. */
export const noticeAt = (state: SubscriptionRecord): UnixMs | null => {
  const { status, covered, cancellation, announced, nextN, attempts, trouble } = state
  if (status !== 'trialing' && status !== 'active') return null
  const isOver = announced === nextN || nextN !== covered.n + 1 || attempts.some(({ n }) => n === nextN)
  if (isOver || cancellation !== null || trouble !== null) return null
  const { start, end } = covered.period
  const notice = noticeMs(covered.kind, end - start)
  return notice === null ? null : unixMs(end - notice)
}

/** Announces what is due, once. An authorization that it needs is requested first, so that the notice can link to it. */
const announce = (
  command: AnnounceTrialEnd | AnnounceRenewal,
  state: SubscriptionRecord,
  announced: LaterEvent,
): Decision => {
  if (state.announced === state.nextN) return nothing
  const dueAt = noticeAt(state)
  return dueAt === null || command.at < dueAt
    ? reject({ _tag: 'NotDue', dueAt })
    : record(...requestAfterPreflight(command, state), announced)
}

export const announceTrialEnd = (command: AnnounceTrialEnd, state: SubscriptionRecord): Decision => {
  if (state.status !== 'trialing') return forbidden(state)
  const { problem, at } = command
  return announce(command, state, {
    type: 'TrialEndAnnounced',
    data: { endsAt: state.covered.period.end, problem, at },
  })
}

export const announceRenewal = (command: AnnounceRenewal, state: SubscriptionRecord): Decision => {
  if (state.status !== 'active') return forbidden(state)
  const { n, problem, at } = command
  if (n < state.nextN) return nothing
  return announce(command, state, {
    type: 'RenewalAnnounced',
    data: { n: state.nextN, renewsAt: state.covered.period.end, problem, at },
  })
}
