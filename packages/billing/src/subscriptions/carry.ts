import { type Environment, nextStep, type Policy, Subscription, SubscriptionId } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../decode.ts'
import { fold } from '../execute.ts'
import type { ProcessFailure } from '../processes/steps.ts'
import type { Services } from '../services.ts'
import { severalAtOnce } from '../several-at-once.ts'
import type { Carrying, Standing } from './standing.ts'
import { takeStep } from './take-step.ts'

/** How many steps one visit takes before the next subscription has its turn: what is left stays due. */
const mostSteps = 20

/** How many subscriptions are brought forward side by side. */
const atOnce = 32

/** Brings every subscription of an environment forward that something is to be done for. */
export const carrySubscriptions =
  (carrying: Carrying) =>
  (environment: Environment): TE.TaskEither<ProcessFailure, void> =>
  async () => {
    const { services, walked } = carrying
    const due = services.readModels.subscriptions.due(environment, walked.closedAt)
    return severalAtOnce(due, atOnce, ({ id, merchantId }) =>
      carrySubscription(carrying)({ merchantId, environment }, decodeOrThrow(SubscriptionId, id))(),
    )
  }

/**
 * Does what is to be done for one subscription until nothing is, as of the newest ledger that was walked. Each step has an id that
 * derives from the event that it follows: whoever comes second, or after a crash, writes nothing twice.
 */
export const carrySubscription =
  (carrying: Carrying) =>
  (scope: Scope, id: SubscriptionId): TE.TaskEither<ProcessFailure, void> =>
  async () => {
    const { services, walked } = carrying
    const settlement = await services.settlementOf(scope.merchantId, scope.environment)()
    if (E.isLeft(settlement)) return settlement
    const { policy } = settlement.right
    for (let steps = 0; steps < mostSteps; steps++) {
      const place = await standing(services, scope, id, policy)
      if (E.isLeft(place)) return place
      const step = nextStep(place.right.state, walked.closedAt, policy)
      if (place.right.state.status === 'absent' || step._tag === 'nothing') return E.right(undefined)
      const taken = await takeStep(carrying, { ...place.right, state: place.right.state }, step)
      if (E.isLeft(taken)) return taken
      if (!taken.right) return E.right(undefined)
    }
    return E.right(undefined)
  }

const standing = async (
  { store }: Services,
  scope: Scope,
  id: SubscriptionId,
  policy: Policy,
): Promise<E.Either<ProcessFailure, Standing>> => {
  const stream = await store.readStream(`${Subscription.category}-${id}`)()
  if (E.isLeft(stream)) return stream
  const { events } = stream.right
  return E.right({ scope, id, policy, state: fold(Subscription, events), cause: events.at(-1)?.id ?? id })
}
