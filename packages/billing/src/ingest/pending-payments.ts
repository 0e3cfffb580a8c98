import {
  type Environment,
  LedgerIngestion,
  type LedgerIngestionState,
  type SubmittedTransaction,
  transactionsInFlight,
} from '@quittance/domain'
import type { LedgerHead } from '@quittance/ledger'
import type { Found, PaymentRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { followUp } from '../features/checkouts/follow-up.ts'
import { endInvoice } from '../features/invoices/invoice-end.ts'
import { type ExistingCheckout, existingCheckout } from '../features/payments/session.ts'
import { derivedCommandId } from '../kernel/derive.ts'
import { execute, fold } from '../kernel/execute.ts'
import { stateOf } from '../kernel/load.ts'
import { type SessionId, sessionsOf } from '../kernel/session-kinds.ts'
import { stepContext } from '../kernel/step-context.ts'
import { eachIsolated } from '../services/each-isolated.ts'
import { isUpToDate } from '../services/is-up-to-date.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import { type Network, networkOf, type Services } from '../services/services.ts'
import { withoutRejection } from '../services/steps.ts'
import { fateOf } from './payer-transaction-outcome.ts'

/** How far the ledger was ingested: but for what was skipped, nothing that closed up to there is still to come. */
export type Walked = LedgerHead

/**
 * Looks after payments that should have ended by now, and those that wait for a relayed transaction. One that can never
 * be included, or that was and brought nothing, is recorded as dead; then whatever follows from the checkout is written,
 * which also finishes what a crash had left half done. A sweep looks after every pending payment, due or not, and again
 * for transactions that were left to a person.
 */
export const resolvePendingPayments = async (
  services: Services,
  environment: Environment,
  ingested: Walked,
  isSweep: boolean,
): Promise<E.Either<ProcessFailure, void>> => {
  const following = await stateOf(services.store)(LedgerIngestion, environment)
  if (E.isLeft(following)) return following
  const { payments } = services.readModels
  return eachIsolated(services, environment, {
    loop: 'pending_payments',
    items: payments.due(environment, isSweep ? Number.MAX_SAFE_INTEGER : ingested.closedAt),
    again: ({ id }) => payments.withId(id),
    isInTurn: isUpToDate(services),
    work: (due) => resolve(services, due, ingested, following.right.state, isSweep),
  })
}

const resolve = async (
  services: Services,
  { merchantId, environment, row }: Found<PaymentRow>,
  ingested: Walked,
  following: LedgerIngestionState,
  isSweep: boolean,
): Promise<E.Either<ProcessFailure, void>> => {
  const { checkoutId, invoiceId } = row.details
  const sessionId = invoiceId ?? checkoutId
  const scope = { merchantId, environment }
  const network = networkOf(services, environment)
  if (E.isLeft(network)) return network
  const before = await sessionNow(services, sessionId)
  if (E.isLeft(before)) return before
  // Not owed any more: what had come of it goes back.
  const ended = await endInvoice(services, scope, sessionId, before.right.details, ingested.closedAt)
  if (E.isLeft(ended)) return ended
  const checkout = invoiceId === undefined ? before : await sessionNow(services, sessionId)
  if (E.isLeft(checkout)) return checkout
  const sent = { ...scope, checkoutId, firstSentAt: row.createdAt }
  // What came and waits for a rate is not in the checkout yet: no transaction is dead for that.
  const isAwaitingRate = () => services.awaitingRate.has(environment, sessionId)
  const inFlight = isAwaitingRate() ? [] : transactionsInFlight(checkout.right)
  for (const transaction of inFlight) {
    const { transactionHash } = transaction
    if (!isSweep && following.uncounted.some((each) => each.transactionHash === transactionHash)) continue
    const fate = await fateOf(services, network.right, following, { ...transaction, ...sent }, ingested)
    if (E.isLeft(fate)) return fate
    if (fate.right === 'awaited') await sendAgain(network.right, transaction, ingested)
    if (fate.right === 'awaited' || isAwaitingRate()) continue
    const context = stepContext(
      scope,
      derivedCommandId(environment, sessionId),
      `dead ${transactionHash}`,
      ingested.closedAt,
    )
    const sessions = sessionsOf(sessionId)
    const decide = sessions.decider.decide({ type: 'RecordDeadTransaction', transactionHash })
    const recorded = await execute(services.store)(sessions, sessionId, context, decide)
    // It was received just now, from the skipped ledger that holds it.
    if (E.isLeft(recorded) && recorded.left._tag === 'TransactionHasCredit') continue
    const isRecorded = withoutRejection(recorded)
    if (E.isLeft(isRecorded)) return isRecorded
  }
  const settled = inFlight.length === 0 ? checkout : await sessionNow(services, sessionId)
  if (E.isLeft(settled)) return settled
  return followUp(services, { ...scope, sessionId, at: ingested.closedAt }, settled.right)
}

/**
 * A node may forget without a word what was relayed, and a payer has gone. No answer is an outcome: what is in a queue or a
 * ledger already is refused.
 */
const sendAgain = async (
  { gateway }: Network,
  { envelopeXdr, maxTime }: SubmittedTransaction,
  { closedAt }: Walked,
): Promise<void> => {
  if (envelopeXdr !== undefined && closedAt <= maxTime) await gateway.submit(envelopeXdr)()
}

const sessionNow = async ({ store }: Services, id: SessionId): Promise<E.Either<ProcessFailure, ExistingCheckout>> => {
  const sessions = sessionsOf(id)
  const stream = await store.readStream(`${sessions.category}-${id}`)()
  return E.isLeft(stream) ? stream : E.right(existingCheckout(fold(sessions, stream.right.events), id))
}
