import { Checkout, CheckoutId, Payment, Subscription, SubscriptionId, type SubscriptionStatus } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { followUp } from '../../features/checkouts/follow-up.ts'
import { openException } from '../../features/payments/open-exception.ts'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { stateOf } from '../../kernel/load.ts'
import { checkoutIdOf, SessionId, sessionsOf } from '../../kernel/session-kinds.ts'
import { step } from '../../kernel/step.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import { type Ending, type EndSome, endEach, endingStep, rowsOf } from './ending.ts'

/** Ends open checkouts and invoices. What was paid for completely is completed first. */
export const endSessions: EndSome = async (ending) => {
  const { readModels } = ending.services
  const checkouts = (
    await Promise.all((['open', 'expired'] as const).map((status) => rowsOf(ending, readModels.checkouts.page, status)))
  )
    .flat()
    .filter(({ row }) => row.status !== 'expired')
    .map(({ id, merchantId }) => ({ id, merchantId }))
  const invoices = (await rowsOf(ending, readModels.invoiceReferences.page)).map(({ row, merchantId }) => ({
    id: row.sessionId,
    merchantId,
  }))
  const ended = await endEach([...checkouts, ...invoices], ({ id, merchantId }) => endSession(ending, merchantId, id))
  if (E.isLeft(ended)) return ended
  let open = checkouts.length
  for (const { id } of invoices) {
    const session = await stateOf(ending.services.store)(sessionsOf(id), id)
    if (E.isLeft(session)) return session
    if (session.right.state.status === 'open') open += 1
  }
  return E.right(open)
}

const endSession = async (
  ending: Ending,
  merchantId: string,
  name: string,
): Promise<E.Either<ProcessFailure, unknown>> => {
  const { services, environment, at } = ending
  const sessionId = decodeOrThrow(SessionId, name)
  const sessions = sessionsOf(sessionId)
  const found = await stateOf(services.store)(sessions, sessionId)
  if (E.isLeft(found)) return found
  const { state } = found.right
  if (state.status === 'settled' || state.status === 'enrolled')
    return followUp(services, { merchantId, environment, sessionId, at }, state)
  if (state.status !== 'open') return E.right(undefined)
  const decide = Checkout.decider.decide({ type: 'FailSession', reason: 'network_reset', at })
  return step(services.store)(sessions, sessionId, endingStep(ending, merchantId, sessionId), decide)
}

/** Money that waits for a rate has no session any more that it could count for. */
export const endAwaiting: EndSome = async (ending) => {
  const { services, environment } = ending
  return endEach(await services.awaitingRate.of(environment), async (awaiting) => {
    const { merchantId, sessionId, incoming } = awaiting
    const session = await stateOf(services.store)(sessionsOf(sessionId), sessionId)
    if (E.isLeft(session)) return session
    const { state } = session.right
    const checkoutId =
      state.status === 'absent' ? null : CheckoutId.is(sessionId) ? sessionId : checkoutIdOf(sessionId, state.details)
    const misfit = { kind: 'after_failure' as const, incoming, checkoutId, paymentId: null }
    const opened = await openException(services, { merchantId, environment }, misfit)
    if (E.isRight(opened)) await services.awaitingRate.remove(awaiting)
    return opened
  })
}

/** Ends payments that nothing has confirmed, after their sessions and charges. */
export const endPayments: EndSome = async (ending) => {
  const { services, at } = ending
  return endEach(await rowsOf(ending, services.readModels.payments.page, 'pending'), ({ id, merchantId }) =>
    step(services.store)(
      Payment,
      id,
      endingStep(ending, merchantId, id),
      Payment.decider.decide({ type: 'FailPayment', reason: 'network_reset', at }),
    ),
  )
}

const livingStatuses: Readonly<Record<Exclude<SubscriptionStatus, 'canceled'>, true>> = {
  trialing: true,
  active: true,
  past_due: true,
  overdue: true,
  paused: true,
}

/** Cancels subscriptions, and ends every mandate that the log takes for living. */
export const endSubscriptions: EndSome = async (ending) => {
  const { services, environment, at } = ending
  const { subscriptions, mandates } = services.readModels
  const owners = new Map<string, string>()
  for (const status of Object.keys(livingStatuses))
    for (const { id, merchantId } of await rowsOf(ending, subscriptions.page, status)) owners.set(id, merchantId)
  for (const place of await mandates.places(environment))
    for await (const { row, merchantId } of mandates.living(environment, place, null))
      if (!(await services.left.has(merchantId))) owners.set(row.subscriptionId, merchantId)
  return endEach(owners, ([id, merchantId]) =>
    step(services.store)(
      Subscription,
      decodeOrThrow(SubscriptionId, id),
      endingStep(ending, merchantId, id),
      Subscription.decider.decide({ type: 'EndWithNetwork', at }),
    ),
  )
}
