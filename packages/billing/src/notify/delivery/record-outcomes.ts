import { type DisabledReason, minuteMs, type UnixMs, unixMs } from '@quittance/domain'
import type { SqlProgram } from '@quittance/event-store'
import type { Services } from '../../services/services.ts'
import type { Delivery, LastAnswer } from '../../stores/deliveries/delivery.ts'
import type { Endpoint } from './endpoint.ts'
import type { Attempted, Outcome } from './outcome.ts'
import { nextAttempt, triedForMs } from './schedule.ts'
import type { PostResult } from './sending/sender.ts'

export type EndedAttempt = { readonly delivery: Delivery; readonly outcome: Outcome }

/** An endpoint to disable because `delivery` failed. */
export type ToDisable = { readonly endpoint: Endpoint; readonly delivery: Delivery; readonly reason: DisabledReason }

export type Recording = { readonly owner: string; readonly random: () => number }

const notMadeAgainMs = minuteMs

export const isArrived = (result: PostResult): boolean =>
  result._tag === 'Answered' && result.status >= 200 && result.status < 300

/** What an attempt has led to, as all tries of the program that records it find it. */
type Drawn = EndedAttempt & { readonly now: UnixMs; readonly jitter: number }

/** Records ended attempts. Answers the endpoints to disable. */
export const recordOutcomes =
  ({ toDo: { deliveries, endpoints }, clock }: Pick<Services, 'toDo' | 'clock'>, { owner, random }: Recording) =>
  (ended: ReadonlyArray<EndedAttempt>): SqlProgram<ReadonlyArray<ToDisable>> => {
    const drawn = ended.map((each): Drawn => {
      const { delivery, outcome } = each
      const hasFailed = outcome._tag === 'Attempted' && !isArrived(outcome.result)
      return { ...each, now: clock.now(delivery.environment), jitter: hasFailed ? random() : 0 }
    })
    const arrive = (
      delivery: Delivery,
      { startedAt, result, durationMs }: Attempted,
      endedAt: UnixMs,
    ): SqlProgram<void> =>
      function* () {
        const answer = shown(result, durationMs)
        yield* deliveries.end(delivery, owner, { status: 'delivered', startedAt, endedAt, dueAt: null, answer })()
        yield* endpoints.succeeded(delivery.webhookId)()
      }
    const fail = ({ delivery, now: endedAt, jitter }: Drawn, attempted: Attempted): SqlProgram<ToDisable | null> =>
      function* () {
        const { startedAt, result, durationMs, endpoint } = attempted
        const tried = {
          attempts: delivery.attempts + 1,
          firstAt: delivery.firstAttemptAt ?? startedAt,
          lastAt: startedAt,
        }
        const dueAt = nextAttempt(tried, jitter)
        const status = dueAt === null ? 'exhausted' : 'pending'
        yield* deliveries.end(delivery, owner, {
          status,
          startedAt,
          endedAt,
          dueAt,
          answer: shown(result, durationMs),
        })()
        const failingSince = Math.max(yield* endpoints.failed(delivery.webhookId, startedAt)(), endpoint.changedAt)
        if (result._tag === 'Answered' && result.status === 410) return { endpoint, delivery, reason: 'gone' }
        return startedAt - failingSince >= triedForMs ? { endpoint, delivery, reason: 'failing' } : null
      }
    const recordOne = (each: Drawn): SqlProgram<ToDisable | null> =>
      function* () {
        const { delivery, outcome, now } = each
        switch (outcome._tag) {
          case 'Attempted':
            if (!isArrived(outcome.result)) return yield* fail(each, outcome)()
            yield* arrive(delivery, outcome, now)()
            return null
          case 'NotMade':
            yield* deliveries.release(delivery, owner, unixMs(now + notMadeAgainMs))()
            return null
          case 'Withheld': {
            const ended = { status: 'exhausted' as const, startedAt: now, endedAt: now, dueAt: null, answer: withheld }
            yield* deliveries.end(delivery, owner, ended)()
            return null
          }
          case 'Suspended':
            yield* deliveries.release(delivery, owner, now)()
            return null
        }
      }
    const webhookIds = [...new Set(ended.map(({ delivery }) => delivery.webhookId))].sort()
    return function* () {
      const toDisable: Array<ToDisable> = []
      for (const webhookId of webhookIds) yield* endpoints.hold(webhookId)()
      for (const each of drawn) {
        const failing = yield* recordOne(each)()
        if (failing !== null) toDisable.push(failing)
      }
      // No attempt begins there until the endpoint is examined again.
      for (const { endpoint } of toDisable) yield* endpoints.suspend(endpoint.id, true)()
      for (const webhookId of webhookIds) yield* endpoints.refresh(webhookId)()
      return toDisable
    }
  }

const withheld: LastAnswer = { status: null, body: null, failure: 'scope_missing', durationMs: 0 }

const shown = (result: PostResult, durationMs: number): LastAnswer => {
  switch (result._tag) {
    case 'Answered':
      return { status: result.status, body: result.body, failure: null, durationMs }
    case 'AddressRefused':
      return { status: null, body: null, failure: 'address_refused', durationMs }
    case 'TimedOut':
      return { status: null, body: null, failure: 'timed_out', durationMs }
    case 'Unreachable':
      return { status: null, body: null, failure: result.cause, durationMs }
  }
}
