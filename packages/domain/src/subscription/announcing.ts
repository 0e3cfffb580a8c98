import { hourMs, type UnixMs, unixMs } from '../shared/units.ts'
import type { AnnounceRenewal, AnnounceTrialEnd } from './commands.ts'
import { type Decision, forbidden, nothing, record, reject } from './decision.ts'
import type { SubscriptionRecord } from './state.ts'

const dayMs = 24 * hourMs

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

const whenDue = (state: SubscriptionRecord, at: UnixMs, decide: () => Decision): Decision => {
  if (state.announced === state.nextN) return nothing
  const dueAt = noticeAt(state)
  return dueAt === null || at < dueAt ? reject({ _tag: 'NotDue', dueAt }) : decide()
}

export const announceTrialEnd = ({ at, problem }: AnnounceTrialEnd, state: SubscriptionRecord): Decision =>
  state.status === 'trialing'
    ? whenDue(state, at, () =>
        record({ type: 'TrialEndAnnounced', data: { endsAt: state.covered.period.end, problem, at } }),
      )
    : forbidden(state)

export const announceRenewal = ({ at, n, problem }: AnnounceRenewal, state: SubscriptionRecord): Decision => {
  if (state.status !== 'active') return forbidden(state)
  if (n < state.nextN) return nothing
  const renewsAt = state.covered.period.end
  return whenDue(state, at, () => record({ type: 'RenewalAnnounced', data: { n: state.nextN, renewsAt, problem, at } }))
}
