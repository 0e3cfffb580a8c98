import { type AssetId, asText, Limits, limitWindowMs, type Stroops, type UnixMs } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { stateOf } from '../../kernel/load.ts'
import { step } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import { lastAcceptance, limitsId } from './admit.ts'
import type { LimitServices } from './services.ts'
import { worthOf } from './worth.ts'

/** A payment in a ledger that a restored log does not know. `name`: the same each time. */
type Recovered = {
  readonly name: string
  readonly assetId: AssetId
  readonly amount: Stroops
  readonly closedAt: UnixMs
}

/**
 * Counts what went out and was forgotten, so that a restored log does not allow the same day's amount
 * again. Nobody knows who has requested it: it counts for each key.
 */
export const countRecovered = async (
  services: LimitServices,
  scope: Scope,
  { name, assetId, amount, closedAt }: Recovered,
): Promise<E.Either<ExecuteFailure, void>> => {
  const limits = await stateOf(services.store)(Limits, limitsId(scope))
  if (E.isLeft(limits)) return limits
  if (limits.right.state.limits.length === 0) return E.right(undefined)
  if (closedAt <= services.clock.now(scope.environment) - limitWindowMs) return E.right(undefined)
  const acceptedAt = await lastAcceptance(services)
  if (E.isLeft(acceptedAt)) return acceptedAt
  const value = await worthOf(services, scope, assetId, amount)
  const outflow = { subject: asText(name), requester: null, value, at: closedAt }
  const decide = Limits.decider.decide({ type: 'CountOutflow', ...outflow, acceptedAt: acceptedAt.right })
  const context = stepContext(scope, name, 'count what was recovered', closedAt)
  const counted = await step(services.store)(Limits, limitsId(scope), context, decide)
  return E.isLeft(counted) ? counted : E.right(undefined)
}
