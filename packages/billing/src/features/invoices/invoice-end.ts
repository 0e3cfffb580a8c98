import {
  type CheckoutDetails,
  type InvoiceEnd,
  InvoiceId,
  invoiceEnd,
  Subscription,
  type UnixMs,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import { type SessionId, sessionsOf } from '../../kernel/session-kinds.ts'
import { stepUnless } from '../../kernel/step.ts'
import { stepContextOf } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'

/** Why the session of an invoice takes no payment any more, though nobody has paid in it; null if it does, or is a checkout. */
export const endOfInvoice = async (
  { store }: Pick<Services, 'store'>,
  id: SessionId,
  { invoice }: Pick<CheckoutDetails, 'invoice'>,
): Promise<E.Either<StoreUnavailable, InvoiceEnd | null>> => {
  if (invoice === undefined || !InvoiceId.is(id)) return E.right(null)
  const subscription = await stateOf(store)(Subscription, invoice.subscriptionId)
  return E.isLeft(subscription) ? subscription : E.right(invoiceEnd(subscription.right.state, id))
}

const sessionOver = ['CompletionUnderWay', 'CheckoutIsCompleted', 'CheckoutIsExpired', 'CheckoutIsFailed'] as const

/**
 * Ends the session of an invoice that is no longer owed: the part of its price that had come goes back, and so does whatever
 * still comes. A session whose price is covered ends by itself.
 */
export const endInvoice = async (
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  id: SessionId,
  details: Pick<CheckoutDetails, 'invoice'>,
  at: UnixMs,
): Promise<E.Either<ExecuteFailure, unknown>> => {
  const end = await endOfInvoice({ store }, id, details)
  if (E.isLeft(end) || end.right === null) return end
  const sessions = sessionsOf(id)
  const context = stepContextOf(scope, id, 'not owed', at)
  const decide = sessions.decider.decide({ type: 'FailSession', at, reason: end.right })
  return stepUnless(store)(sessionOver, sessions, id, context, decide)
}
