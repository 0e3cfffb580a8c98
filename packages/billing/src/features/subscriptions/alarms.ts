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
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import type { ExecuteFailure, OperatorContext } from '../../kernel/execute.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { stepUnless } from '../../kernel/step.ts'
import { eachIsolated } from '../../services/each-isolated.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import type { Item } from '../../stores/setbacks/setbacks.ts'
import type { Raise } from '../outgoing/trouble.ts'
import type { SubscriptionServices } from './services.ts'
import type { SubscriptionNotFound } from './subscriptions.ts'

/**
 * A subscription that needs the operator: `stuck` says why a charge does not end, `stoppedUntil` when attempts resume.
 */
export type SubscriptionAlarm = Scope & {
  readonly id: SubscriptionId
  readonly status: SubscriptionStatus
  readonly stuck: AlarmCause | null
  readonly stoppedUntil: UnixMs | null
}

/** A request to allow attempts again; the operator states `by` and `reason`. */
export type AllowRequest = { readonly subscriptionId: SubscriptionId; readonly by: Text; readonly reason: Text }

/** `isNew` is false if attempts were not stopped. */
export type Allowed = { readonly status: SubscriptionStatus; readonly isNew: boolean }

/** What the operator does about subscriptions with failing charges. */
export interface SubscriptionAlarms {
  /** The current alarms, oldest first. */
  readonly standing: (environment: Environment) => TE.TaskEither<StoreUnavailable, ReadonlyArray<SubscriptionAlarm>>
  /**
   * Resumes attempts that were stopped after too many failures; a charge that is past due follows with the next ledger.
   */
  readonly allow: (
    context: OperatorContext,
    request: AllowRequest,
  ) => TE.TaskEither<SubscriptionNotFound | ExecuteFailure, Allowed>
}

export const subscriptionAlarms = (services: SubscriptionServices): SubscriptionAlarms => ({
  standing: (environment) => async () => {
    const caught = await services.caughtUp.withLog()
    return E.isLeft(caught)
      ? caught
      : E.right(await Array.fromAsync(alarmsAt(services, environment, services.clock.now(environment))))
  },
  allow: (context, request) => () => allowAttempts(services, context, request),
})

const allowAttempts = async (
  { store, readModels, caughtUp }: Pick<Services, 'store' | 'readModels' | 'caughtUp'>,
  context: OperatorContext,
  { subscriptionId: id, ...decision }: AllowRequest,
): Promise<E.Either<SubscriptionNotFound | ExecuteFailure, Allowed>> => {
  const caught = await caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const row = await readModels.subscriptions.withId(id)
  if (row?.environment !== context.environment) return E.left(notFound)
  const { merchantId } = row
  const decide = Subscription.decider.decide({ type: 'AllowAttempts', ...decision, at: context.at })
  const allowed = await stepUnless(store)(
    ['SubscriptionNotFound', 'StatusForbids'],
    Subscription,
    id,
    { ...context, merchantId },
    decide,
  )
  if (E.isLeft(allowed)) return allowed
  if (allowed.right === null || allowed.right.state.status === 'absent') return E.left(notFound)
  const { state, events } = allowed.right
  return E.right({
    status: state.status,
    isNew: events.some(({ metadata }) => metadata.commandId === context.commandId),
  })
}

const notFound: SubscriptionNotFound = { _tag: 'SubscriptionNotFound' }

/** The most alarms raised at a time: when nothing can be charged at all, a longer list says no more. */
const mostRaised = 100

/**
 * Raises the current alarms, oldest first. They come from the read models, so another process raises them after a
 * crash.
 */
export const raiseAlarms =
  (services: SubscriptionServices, raise: Raise) =>
  (environment: Environment, at: UnixMs): Promise<E.Either<ProcessFailure, void>> => {
    let raised = 0
    return eachIsolated(services, environment, {
      loop: 'alarms',
      items: services.readModels.subscriptionAlarms.due(environment, Number.MAX_SAFE_INTEGER),
      again: async () => null,
      isInTurn: async () => raised < mostRaised,
      work: async (found) => {
        const alarm = await alarmOf(services, found, at)
        if (alarm === null) return E.right(undefined)
        const { id, stuck, stoppedUntil } = alarm
        if (stuck !== null) raise({ _tag: 'SubscriptionStuck', subscriptionId: id, cause: stuck })
        if (stoppedUntil !== null) raise({ _tag: 'AttemptsStopped', subscriptionId: id })
        raised += 1
        return E.right(undefined)
      },
    })
  }

async function* alarmsAt(
  services: Pick<Services, 'readModels'>,
  environment: Environment,
  now: UnixMs,
): AsyncGenerator<SubscriptionAlarm, void, undefined> {
  for await (const found of services.readModels.subscriptionAlarms.due(environment, Number.MAX_SAFE_INTEGER)) {
    const alarm = await alarmOf(services, found, now)
    if (alarm !== null) yield alarm
  }
}

const alarmOf = async (
  { readModels }: Pick<Services, 'readModels'>,
  { id, merchantId, environment }: Item,
  now: UnixMs,
): Promise<SubscriptionAlarm | null> => {
  const state = (await readModels.subscriptions.withId(id))?.row
  if (state === undefined) return null
  const [stuck, stoppedUntil] = [stuckFor(state), stopAt(state, now)]
  if (stuck === null && stoppedUntil === null) return null
  const subscriptionId = decodeOrThrow(SubscriptionId, id)
  return { merchantId, environment, id: subscriptionId, status: state.status, stuck, stoppedUntil }
}
