import {
  type AlarmCause,
  type Environment,
  Subscription,
  SubscriptionId,
  type SubscriptionStatus,
  stopAt,
  stuckFor,
  type Text,
  type UnixMs,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { type ExecuteFailure, executeLater, type OperatorContext } from '../../kernel/execute.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { eachIsolated } from '../../services/each-isolated.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import { unlessRejected } from '../../services/steps.ts'
import type { Item } from '../../stores/setbacks/setbacks.ts'
import type { Raise } from '../outgoing/trouble.ts'
import type { SubscriptionNotFound } from './subscriptions.ts'

/** A subscription that a person has to look at: why a charge of it has no end, and until when none is attempted. */
export type SubscriptionAlarm = Scope & {
  readonly id: SubscriptionId
  readonly status: SubscriptionStatus
  readonly stuck: AlarmCause | null
  readonly stoppedUntil: UnixMs | null
}

/** Who allows attempts again, as far as they say, and what they have found. */
export type AllowRequest = { readonly subscriptionId: SubscriptionId; readonly by: Text; readonly reason: Text }

/** `isNew`: false where nothing had them stopped, or no more. */
export type Allowed = { readonly status: SubscriptionStatus; readonly isNew: boolean }

/** What an operator does about subscriptions whose charges go wrong. */
export interface SubscriptionAlarms {
  /** Those that stand, the oldest first. */
  readonly standing: (environment: Environment) => TE.TaskEither<StoreUnavailable, ReadonlyArray<SubscriptionAlarm>>
  /** Has attempts made again that were stopped after too many; what is past due is tried with the next ledger. */
  readonly allow: (
    context: OperatorContext,
    request: AllowRequest,
  ) => TE.TaskEither<SubscriptionNotFound | ExecuteFailure, Allowed>
}

export const subscriptionAlarms = (services: Services): SubscriptionAlarms => ({
  standing: (environment) =>
    pipe(
      services.caughtUp.withLog,
      TE.map(() => [...alarmsAt(services, environment, services.clock.now())]),
    ),
  allow: (context, { subscriptionId: id, ...decision }) =>
    pipe(
      services.caughtUp.withLog,
      TE.chainEitherKW(() => {
        const row = services.readModels.subscriptions.withId(id)
        return row?.environment === context.environment ? E.right(row) : E.left(notFound)
      }),
      TE.chainW(({ merchantId }) => {
        const decide = Subscription.decider.decide({ type: 'AllowAttempts', ...decision, at: context.at })
        return T.map(unlessRejected)(executeLater(services.store)(Subscription, id, { ...context, merchantId }, decide))
      }),
      TE.chainEitherKW((allowed) => {
        if (allowed === null || allowed.state.status === 'absent') return E.left(notFound)
        const isNew = allowed.events.some(({ metadata }) => metadata.commandId === context.commandId)
        return E.right({ status: allowed.state.status, isNew })
      }),
    ),
})

const notFound: SubscriptionNotFound = { _tag: 'SubscriptionNotFound' }

/** So many are named at a time: where nothing can be charged at all, a list says no more than they do. */
const mostRaised = 100

/**
 * Raises what stands of subscriptions, the oldest first. It is read from what was recorded, and not from who recorded it: who
 * dies in between has another process raise it.
 */
export const raiseAlarms =
  (services: Services, raise: Raise) =>
  (environment: Environment, at: UnixMs): Promise<E.Either<ProcessFailure, void>> => {
    let raised = 0
    return eachIsolated(services, environment, {
      loop: 'alarms',
      items: services.readModels.subscriptionAlarms.due(environment, Number.MAX_SAFE_INTEGER),
      again: () => null,
      isInTurn: () => raised < mostRaised,
      work: async (found) => {
        const alarm = alarmOf(services, found, at)
        if (alarm === null) return E.right(undefined)
        const { id, stuck, stoppedUntil } = alarm
        if (stuck !== null) raise({ _tag: 'SubscriptionStuck', subscriptionId: id, cause: stuck })
        if (stoppedUntil !== null) raise({ _tag: 'AttemptsStopped', subscriptionId: id })
        raised += 1
        return E.right(undefined)
      },
    })
  }

function* alarmsAt(
  services: Services,
  environment: Environment,
  now: UnixMs,
): Generator<SubscriptionAlarm, void, undefined> {
  for (const found of services.readModels.subscriptionAlarms.due(environment, Number.MAX_SAFE_INTEGER)) {
    const alarm = alarmOf(services, found, now)
    if (alarm !== null) yield alarm
  }
}

const alarmOf = (
  { readModels }: Services,
  { id, merchantId, environment }: Item,
  now: UnixMs,
): SubscriptionAlarm | null => {
  const state = readModels.subscriptions.withId(id)?.row
  if (state === undefined) return null
  const [stuck, stoppedUntil] = [stuckFor(state), stopAt(state, now)]
  if (stuck === null && stoppedUntil === null) return null
  const subscriptionId = decodeOrThrow(SubscriptionId, id)
  return { merchantId, environment, id: subscriptionId, status: state.status, stuck, stoppedUntil }
}
