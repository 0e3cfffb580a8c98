import { Checkout, CheckoutId, type Environment, type UnixMs } from '@quittance/domain'
import type { CheckoutRow, Found } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { followUp } from '../features/checkouts/follow-up.ts'
import { existingCheckout } from '../features/payments/session.ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import { derivedCommandId } from '../kernel/derive.ts'
import { execute } from '../kernel/execute.ts'
import { stepContext } from '../kernel/step-context.ts'
import { eachIsolated } from '../services/each-isolated.ts'
import { isUpToDate } from '../services/is-up-to-date.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Services } from '../services/services.ts'
import { withoutRejection } from '../services/steps.ts'

/**
 * Ends an environment's sessions whose deadline has passed. `walkedTo` is the close time of the newest ledger that was
 * read: what was paid in time is known by then, however far behind the reading is. Sessions that wait for a relayed
 * transaction, or have received what waits for a rate, stay on the list.
 */
export const endDueSessions = async (
  services: Services,
  environment: Environment,
  walkedTo: UnixMs,
): Promise<E.Either<ProcessFailure, void>> => {
  const { checkouts } = services.readModels
  return eachIsolated(services, environment, {
    loop: 'deadlines',
    items: checkouts.due(environment, walkedTo),
    again: ({ id }) => {
      const found = checkouts.withId(id)
      return found === null || found.row.status === 'completed' ? null : found
    },
    isInTurn: isUpToDate(services),
    work: async (due) =>
      services.awaitingRate.has(environment, due.id) ? E.right(undefined) : endSession(services, due, walkedTo),
  })
}

const endSession = async (
  services: Services,
  { id, merchantId, environment, row }: Found<CheckoutRow>,
  walkedTo: UnixMs,
): Promise<E.Either<ProcessFailure, void>> => {
  const scope = { merchantId, environment }
  const context = stepContext(scope, derivedCommandId(environment, id), 'deadline', row.details.expiresAt)
  const decide = Checkout.decider.decide({ type: 'EndSession', at: walkedTo, cause: 'deadline' })
  const ended = await execute(services.store)(Checkout, id, context, decide)
  if (E.isLeft(ended)) {
    const isBusy = ended.left._tag === 'TransactionInFlight' || ended.left._tag === 'CompletionUnderWay'
    return isBusy ? E.right(undefined) : E.map(() => undefined)(withoutRejection(ended))
  }
  const place = { ...scope, sessionId: decodeOrThrow(CheckoutId, id), at: walkedTo }
  return followUp(services, place, existingCheckout(ended.right.state, id))
}
