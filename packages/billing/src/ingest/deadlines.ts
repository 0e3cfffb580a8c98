import { Checkout, CheckoutId, type Environment, type UnixMs } from '@quittance/domain'
import type { CheckoutRow, Found, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { followUp } from '../features/checkouts/follow-up.ts'
import { existingCheckout } from '../features/payments/session.ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import { stepUnless } from '../kernel/step.ts'
import { stepContextOf } from '../kernel/step-context.ts'
import { eachIsolated } from '../services/each-isolated.ts'
import { isUpToDate } from '../services/is-up-to-date.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Services } from '../services/services.ts'
import type { IngestServices } from './services.ts'

/**
 * Ends an environment's sessions whose deadline has passed. `ingestedTo` is the close time of the newest ingested
 * ledger: everything paid before then is known, however far behind ingestion is. A session stays on the list while it
 * waits for a relayed transaction, or has received money that waits for a rate.
 */
export const endDueSessions = async (
  services: IngestServices,
  environment: Environment,
  ingestedTo: UnixMs,
): Promise<E.Either<ProcessFailure, void>> => {
  const { checkouts } = services.readModels
  return eachIsolated(services, environment, {
    loop: 'deadlines',
    items: checkouts.due(environment, ingestedTo),
    again: async ({ id }) => {
      const found = await checkouts.withId(id)
      return found === null || found.row.status === 'completed' ? null : found
    },
    isInTurn: isUpToDate(services),
    work: async (due) =>
      (await services.awaitingRate.has(environment, due.id))
        ? E.right(undefined)
        : endSession(services, due, ingestedTo),
  })
}

/**
 * Ends a merchant's sessions whose deadline has passed, as `endDueSessions` does, before ingestion comes to its end: what
 * comes of them may be what a forgotten payment was for.
 */
export const endSessionsOf = async (
  services: Pick<IngestServices, 'store' | 'readModels' | 'vault' | 'awaitingRate'>,
  { merchantId, environment }: Scope,
  ingestedTo: UnixMs,
): Promise<E.Either<ProcessFailure, void>> => {
  for await (const due of services.readModels.checkouts.due(environment, ingestedTo)) {
    if (due.merchantId !== merchantId || (await services.awaitingRate.has(environment, due.id))) continue
    const ended = await endSession(services, due, ingestedTo)
    if (E.isLeft(ended)) return ended
  }
  return E.right(undefined)
}

const endSession = async (
  services: Pick<Services, 'store' | 'readModels' | 'vault'>,
  { id, merchantId, environment, row }: Found<CheckoutRow>,
  ingestedTo: UnixMs,
): Promise<E.Either<ProcessFailure, unknown>> => {
  const scope = { merchantId, environment }
  const context = stepContextOf(scope, id, 'deadline', row.details.expiresAt)
  const decide = Checkout.decider.decide({ type: 'EndSession', at: ingestedTo, cause: 'deadline' })
  const busy = ['TransactionInFlight', 'CompletionUnderWay'] as const
  const ended = await stepUnless(services.store)(busy, Checkout, id, context, decide)
  if (E.isLeft(ended) || ended.right === null) return ended
  const place = { ...scope, sessionId: decodeOrThrow(CheckoutId, id), at: ingestedTo }
  return followUp(services, place, existingCheckout(ended.right.state, id))
}
