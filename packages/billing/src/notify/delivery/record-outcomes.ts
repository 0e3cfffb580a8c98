import { type DisabledReason, minuteMs, unixMs } from '@quittance/domain'
import type { Services } from '../../services/services.ts'
import type { Delivery, LastAnswer } from '../../stores/deliveries/delivery.ts'
import type { Attempted, Outcome } from './attempt.ts'
import type { Endpoint } from './endpoint.ts'
import { nextAttempt, triedForMs } from './schedule.ts'
import type { Answer } from './sending/sender.ts'

export type EndedAttempt = { readonly delivery: Delivery; readonly outcome: Outcome }

/** An endpoint that is to be disabled, for what `delivery` came to. */
export type ToDisable = { readonly endpoint: Endpoint; readonly delivery: Delivery; readonly reason: DisabledReason }

export type Recording = { readonly owner: string; readonly random: () => number }

const notMadeAgainMs = minuteMs

export const isArrived = (answer: Answer): boolean =>
  answer._tag === 'Answered' && answer.status >= 200 && answer.status < 300

/** Writes what came of attempts, in the transaction of the caller; returns who is to be disabled for it. */
export const recordOutcomes =
  ({ toDo: { deliveries, endpoints }, clock }: Services, { owner, random }: Recording) =>
  (ended: ReadonlyArray<EndedAttempt>): ReadonlyArray<ToDisable> => {
    const arrive = (delivery: Delivery, { startedAt, answer, durationMs }: Attempted): void => {
      const last = shown(answer, durationMs)
      deliveries.end(delivery, owner, {
        status: 'delivered',
        startedAt,
        endedAt: clock.now(),
        dueAt: null,
        answer: last,
      })
      endpoints.succeeded(delivery.webhookId)
    }
    const fail = (delivery: Delivery, attempted: Attempted): ReadonlyArray<ToDisable> => {
      const { startedAt, answer, durationMs, endpoint } = attempted
      const tried = {
        attempts: delivery.attempts + 1,
        firstAt: delivery.firstAttemptAt ?? startedAt,
        lastAt: startedAt,
      }
      const dueAt = nextAttempt(tried, random())
      const status = dueAt === null ? 'exhausted' : 'pending'
      const last = shown(answer, durationMs)
      deliveries.end(delivery, owner, { status, startedAt, endedAt: clock.now(), dueAt, answer: last })
      const failingSince = Math.max(endpoints.failed(delivery.webhookId, startedAt), endpoint.changedAt)
      if (answer._tag === 'Answered' && answer.status === 410) return [{ endpoint, delivery, reason: 'gone' }]
      return startedAt - failingSince >= triedForMs ? [{ endpoint, delivery, reason: 'failing' }] : []
    }
    const recordOne = ({ delivery, outcome }: EndedAttempt): ReadonlyArray<ToDisable> => {
      switch (outcome._tag) {
        case 'Attempted':
          if (!isArrived(outcome.answer)) return fail(delivery, outcome)
          arrive(delivery, outcome)
          return []
        case 'NotMade':
          deliveries.release(delivery, owner, unixMs(clock.now() + notMadeAgainMs))
          return []
        case 'Suspended':
          deliveries.release(delivery, owner, clock.now())
          return []
      }
    }
    const toDisable = ended.flatMap(recordOne)
    // Nothing more begins there; what it is then is found out anew.
    for (const { endpoint } of toDisable) endpoints.suspend(endpoint.id, true)
    for (const webhookId of new Set(ended.map(({ delivery }) => delivery.webhookId))) endpoints.refresh(webhookId)
    return toDisable
  }

const shown = (answer: Answer, durationMs: number): LastAnswer => {
  switch (answer._tag) {
    case 'Answered':
      return { status: answer.status, body: answer.body, failure: null, durationMs }
    case 'AddressRefused':
      return { status: null, body: null, failure: 'address_refused', durationMs }
    case 'TimedOut':
      return { status: null, body: null, failure: 'timed_out', durationMs }
    case 'Unreachable':
      return { status: null, body: null, failure: answer.cause, durationMs }
  }
}
