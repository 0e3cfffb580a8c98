import {
  closingOf,
  type Environment,
  type FreezeState,
  Subscription,
  SubscriptionId,
  type SubscriptionState,
  type UnixMs,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { derivedCommandId } from '../../kernel/derive.ts'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { stateOf } from '../../kernel/load.ts'
import { step } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import { everyRow } from '../../services/every-row.ts'
import type { Services } from '../../services/services.ts'

type Current = { readonly state: SubscriptionState; readonly cause: string }

/**
 * Cancels a subscription of a merchant who closes at its period's end. False if there is nothing to cancel. A subscription
 * that began, or whose cancellation was undone, since the merchant closes is canceled when it next falls due.
 */
export const cancelIfClosing = async (
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  id: SubscriptionId,
  { state, cause }: Current,
  frozen: FreezeState,
  at: UnixMs,
): Promise<E.Either<ExecuteFailure, boolean>> => {
  if (closingOf(frozen, scope.merchantId) === null) return E.right(false)
  if (state.status === 'absent' || state.status === 'canceled' || state.cancellation !== null) return E.right(false)
  const context = stepContext(scope, derivedCommandId(cause, 'cancel for closing'), 'cancel', at)
  const decide = Subscription.decider.decide({ type: 'Cancel', when: 'period_end', at })
  const canceled = await step(store)(Subscription, id, context, decide)
  return E.isLeft(canceled) ? canceled : E.right(true)
}

/** Cancels all subscriptions of a merchant who closes. Repeated, it changes nothing. Answers how many it canceled. */
export const cancelAllForClosing = async (
  services: Pick<Services, 'store' | 'readModels' | 'caughtUp' | 'clock'>,
  merchantId: string,
  environment: Environment,
  frozen: FreezeState,
): Promise<E.Either<ExecuteFailure, number>> => {
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const scope = { merchantId, environment }
  const at = services.clock.now(environment)
  let canceled = 0
  for await (const row of everyRow(services.readModels.subscriptions.page, scope)) {
    const id = decodeOrThrow(SubscriptionId, row.id)
    const now = await stateOf(services.store)(Subscription, id)
    if (E.isLeft(now)) return now
    const { state, events } = now.right
    const done = await cancelIfClosing(services, scope, id, { state, cause: events.at(-1)?.id ?? id }, frozen, at)
    if (E.isLeft(done)) return done
    canceled += done.right ? 1 : 0
  }
  return E.right(canceled)
}
