import { type Environment, nextStep, type Policy, Subscription, SubscriptionId } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { stateOf } from '../../kernel/load.ts'
import { eachIsolated } from '../../services/each-isolated.ts'
import { isUpToDate } from '../../services/is-up-to-date.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import type { Carrying, Standing } from './standing.ts'
import { takeStep } from './take-step.ts'

/** How many steps one visit takes before the next subscription has its turn: what is left stays due. */
const mostSteps = 20

/** How many subscriptions are brought forward side by side. */
const atOnce = 32

/**
 * How many move before others have their turn: more than a ledger takes charges, and no more than a second or two of work,
 * in which nothing goes out and no payment is seen. A step comes again at once.
 */
export const mostInOneStep = 400

/**
 * Brings the subscriptions of an environment forward that something is to be done for, up to so many that move; the others
 * stay due. Those that cannot be moved now are in nobody's way. Answers whether others may be waiting for their turn.
 */
export const workOffSubscriptions = async (
  carrying: Carrying,
  most: number,
  environment: Environment,
): Promise<E.Either<ProcessFailure, boolean>> => {
  const { services, ingested } = carrying
  const { subscriptions } = services.readModels
  let left = most
  const carried = await eachIsolated(services, environment, {
    loop: 'subscriptions',
    items: whileTrue(subscriptions.due(environment, ingested.closedAt), () => left > 0),
    again: ({ id }) => subscriptions.withId(id),
    isInTurn: isUpToDate(services),
    work: async ({ id, merchantId }) => {
      left -= 1
      const moved = await workOffSubscription(carrying, { merchantId, environment }, decodeOrThrow(SubscriptionId, id))
      if (E.isRight(moved) && !moved.right) left += 1
      return moved
    },
    atOnce,
  })
  return E.isLeft(carried) ? carried : E.right(left <= 0)
}

function* whileTrue<A>(things: Iterable<A>, isWanted: () => boolean): Generator<A> {
  for (const each of things) {
    if (!isWanted()) return
    yield each
  }
}

/**
 * Does what is to be done for one subscription until nothing is, as of the newest ledger that was ingested. Each step has an id that
 * derives from the event that it follows: whoever comes second, or after a crash, writes nothing twice. Answers whether anything
 * was done.
 */
const workOffSubscription = async (
  carrying: Carrying,
  scope: Scope,
  id: SubscriptionId,
): Promise<E.Either<ProcessFailure, boolean>> => {
  const { services, ingested } = carrying
  const settlement = await services.settlementOf(scope.merchantId, scope.environment)()
  if (E.isLeft(settlement)) return settlement
  const { policy } = settlement.right
  for (let steps = 0; steps < mostSteps; steps++) {
    const place = await standing(services, scope, id, policy)
    if (E.isLeft(place)) return place
    const step = nextStep(place.right.state, ingested.closedAt, policy)
    if (place.right.state.status === 'absent' || step._tag === 'nothing') return E.right(steps > 0)
    const taken = await takeStep(carrying, { ...place.right, state: place.right.state }, step)
    if (E.isLeft(taken)) return taken
    if (!taken.right) return E.right(steps > 0)
  }
  return E.right(true)
}

const standing = async (
  services: Services,
  scope: Scope,
  id: SubscriptionId,
  policy: Policy,
): Promise<E.Either<ProcessFailure, Standing>> => {
  const now = await stateOf(services.store)(Subscription, id)
  if (E.isLeft(now)) return now
  const { state, events } = now.right
  return E.right({ scope, id, policy, state, cause: events.at(-1)?.id ?? id })
}
