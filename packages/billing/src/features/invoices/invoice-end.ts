import { type CheckoutDetails, type InvoiceEnd, InvoiceId, invoiceEnd, type UnixMs } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { derivedCommandId } from '../../kernel/derive.ts'
import { type ExecuteFailure, execute } from '../../kernel/execute.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { type SessionId, sessionsOf } from '../../kernel/session-kinds.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import { unlessRejected } from '../../services/steps.ts'
import { subscriptionNow } from './subscription-now.ts'

/** Why a session takes no payment any more though nobody has paid in it; null where it does, and of every checkout. */
export const endOfInvoice =
  (services: Pick<Services, 'store'>) =>
  (id: SessionId, { invoice }: Pick<CheckoutDetails, 'invoice'>): TE.TaskEither<StoreUnavailable, InvoiceEnd | null> =>
    invoice === undefined || !InvoiceId.is(id)
      ? TE.right(null)
      : pipe(
          subscriptionNow(services)(invoice.subscriptionId),
          TE.map(({ state }) => invoiceEnd(state, id)),
        )

/**
 * Ends the session of an invoice that is not to be paid any more: what had come of its price goes back, and so does what
 * still comes. One whose price is covered comes to its end by itself.
 */
export const endInvoice =
  (services: Services) =>
  (
    scope: Scope,
    id: SessionId,
    details: Pick<CheckoutDetails, 'invoice'>,
    at: UnixMs,
  ): TE.TaskEither<ExecuteFailure, void> =>
  async () => {
    const ended = await endOfInvoice(services)(id, details)()
    if (E.isLeft(ended) || ended.right === null) return E.map(() => undefined)(ended)
    const aggregate = sessionsOf(id)
    const context = stepContext(scope, derivedCommandId(scope.environment, id), 'not owed', at)
    const decide = aggregate.decider.decide({ type: 'FailSession', at, reason: ended.right })
    const failed = await execute(services.store)(aggregate, id, context, decide)
    return E.map(() => undefined)(unlessRejected(failed))
  }
