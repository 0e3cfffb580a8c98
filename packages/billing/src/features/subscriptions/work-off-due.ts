import {
  asText,
  type Environment,
  type FreezeState,
  isFrozen,
  nextStep,
  type Stopped,
  Subscription,
  SubscriptionId,
  type SubscriptionStep,
  standingOf,
  type UnixMs,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { stateOf } from '../../kernel/load.ts'
import { eachIsolated } from '../../services/each-isolated.ts'
import { mustWait } from '../../services/holding.ts'
import { isUpToDate } from '../../services/is-up-to-date.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import type { Settlement } from '../../services/settlements.ts'
import { cancelIfClosing } from './cancel-for-closing.ts'
import type { CurrentSubscription, DueWork } from './due-work.ts'
import { takeStep } from './take-step.ts'

/** The most steps for one subscription before the next one has its turn: the rest stays due. */
const mostSteps = 20

/** How many subscriptions are worked on concurrently. */
const atOnce = 32

/**
 * The most subscriptions that move in one step of the worker: more than the charges that a ledger takes, and no more
 * than a second or two of work, during which nothing is sent and no payment is ingested. The next step follows at once.
 */
export const mostInOneStep = 400

/**
 * Works off the due subscriptions of an environment until `most` of them have moved; the others stay due. A
 * subscription that cannot move does not count. Returns whether others may be waiting.
 */
export const workOffSubscriptions = async (
  work: DueWork,
  most: number,
  environment: Environment,
): Promise<E.Either<ProcessFailure, boolean>> => {
  const { services, ingested } = work
  const { subscriptions } = services.readModels
  const frozen = await services.freezing.now()
  if (E.isLeft(frozen)) return frozen
  let left = most
  const worked = await eachIsolated(services, environment, {
    loop: 'subscriptions',
    items: whileTrue(subscriptions.due(environment, ingested.closedAt), () => left > 0),
    again: ({ id }) => subscriptions.withId(id),
    isInTurn: isUpToDate(services),
    work: async ({ id, merchantId }) => {
      left -= 1
      const moved = await workOffSubscription(
        work,
        { merchantId, environment },
        decodeOrThrow(SubscriptionId, id),
        frozen.right,
      )
      if (E.isRight(moved) && !moved.right) left += 1
      return moved
    },
    atOnce,
  })
  return E.isLeft(worked) ? worked : E.right(left <= 0)
}

async function* whileTrue<A>(things: AsyncIterable<A>, isWanted: () => boolean): AsyncGenerator<A> {
  for await (const each of things) {
    if (!isWanted()) return
    yield each
  }
}

/**
 * Takes the due steps of one subscription, as of the newest ingested ledger, until none is left. The id of each step
 * derives from the event that it follows, so a second process, or one after a crash, writes nothing twice. Returns
 * whether any step was taken.
 */
const workOffSubscription = async (
  work: DueWork,
  scope: Scope,
  id: SubscriptionId,
  frozen: FreezeState,
): Promise<E.Either<ProcessFailure, boolean>> => {
  const { services, ingested } = work
  const settlement = await services.settlementOf(scope.merchantId, scope.environment)()
  if (E.isLeft(settlement)) return settlement
  const stopped = {
    sales: isFrozen(frozen, 'sales', scope.merchantId),
    charges: isFrozen(frozen, 'charges', scope.merchantId),
  }
  for (let steps = 0; steps < mostSteps; steps++) {
    const current = await currentSubscription(services, scope, id, settlement.right)
    if (E.isLeft(current)) return current
    const canceled = await cancelIfClosing(services, scope, id, current.right, frozen, ingested.closedAt)
    if (E.isLeft(canceled)) return canceled
    if (canceled.right) continue
    const screened = await screenedStep(services, current.right, ingested.closedAt, stopped)
    if (E.isLeft(screened)) return screened
    const step = screened.right
    if (current.right.state.status === 'absent' || step._tag === 'nothing') return E.right(steps > 0)
    const taken = await takeStep(work, { ...current.right, state: current.right.state }, step)
    if (E.isLeft(taken)) return taken
    if (!taken.right) return E.right(steps > 0)
  }
  return E.right(true)
}

/**
 * The next step. Nothing is charged to a wallet that a screening lists, nor while nobody can ask: that is as a freeze of charges
 * of this subscription alone.
 */
const screenedStep = async (
  services: Pick<Services, 'screening' | 'holding'>,
  { scope: { merchantId, environment }, id, state, policy }: CurrentSubscription,
  at: UnixMs,
  stopped: Stopped,
): Promise<E.Either<ProcessFailure, SubscriptionStep>> => {
  const step = nextStep(state, at, policy, stopped)
  if (state.status === 'absent' || step._tag === 'nothing') return E.right(step)
  const held = await services.holding.now()
  if (E.isLeft(held)) return held
  const isCharge = step._tag === 'attempt_charge' || step._tag === 'hand_over_charge'
  if (!isCharge && standingOf(held.right, id) === 'unknown') return E.right(step)
  const address = asText(state.authorization.mandate.customer)
  const hold = { subject: asText(id), merchantId: asText(merchantId), environment, address, at }
  const waits = await mustWait(services, hold)
  if (E.isLeft(waits)) return waits
  return E.right(waits.right ? nextStep(state, at, policy, { ...stopped, charges: true }) : step)
}

const currentSubscription = async (
  services: Pick<Services, 'store'>,
  scope: Scope,
  id: SubscriptionId,
  { policy, platformFees }: Settlement,
): Promise<E.Either<ProcessFailure, CurrentSubscription>> => {
  const now = await stateOf(services.store)(Subscription, id)
  if (E.isLeft(now)) return now
  const { state, events } = now.right
  return E.right({ scope, id, policy, platformFees, state, cause: events.at(-1)?.id ?? id })
}
