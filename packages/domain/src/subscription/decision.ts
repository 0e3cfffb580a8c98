import * as E from 'fp-ts/lib/Either.js'
import type { SubscriptionEvent } from './events.ts'
import { evolveExisting } from './evolve.ts'
import type { SubscriptionRejection } from './rejections.ts'
import type { Attempt, SubscriptionRecord } from './state.ts'

/** What may happen to a subscription once it exists. */
export type LaterEvent = Exclude<SubscriptionEvent, { readonly type: 'SubscriptionStarted' }>
export type Decision = E.Either<SubscriptionRejection, ReadonlyArray<LaterEvent>>

export const record = (...events: ReadonlyArray<LaterEvent>): Decision => E.right(events)

export const reject = (rejection: SubscriptionRejection): Decision => E.left(rejection)

/** No, in this status. `canceled` says since when. */
export const forbidden = ({ lifecycle, status }: SubscriptionRecord): Decision =>
  lifecycle._tag === 'canceled'
    ? reject({ _tag: 'SubscriptionIsCanceled', canceledAt: lifecycle.at })
    : reject({ _tag: 'StatusForbids', status })

/** Records some events, and the decision that follows in the state that they make. */
export const andThen = (
  state: SubscriptionRecord,
  events: ReadonlyArray<LaterEvent>,
  next: (state: SubscriptionRecord) => Decision,
): Decision => {
  const decided = next(events.reduce(evolveExisting, state))
  return E.isLeft(decided) ? decided : E.right([...events, ...decided.right])
}

/** The attempt whose outcome is not known yet; at most one. */
export const attemptUnderWay = ({ attempts }: SubscriptionRecord): Attempt | null =>
  attempts.findLast(({ status }) => status === 'under_way') ?? null

export const rejectUnderWay = ({ paymentId }: Attempt): Decision => reject({ _tag: 'AttemptUnderWay', paymentId })
