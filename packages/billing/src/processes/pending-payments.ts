import {
  type Environment,
  type LedgerFollowingState,
  type SubmittedTransaction,
  transactionsInFlight,
} from '@quittance/domain'
import type { LedgerHead } from '@quittance/ledger'
import type { Found, PaymentRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type SessionId, sessionsOf } from '../checkouts/session-kinds.ts'
import { execute, fold } from '../execute.ts'
import { followingOf } from '../following/record.ts'
import { consequence } from '../identity/derive.ts'
import { endInvoice } from '../invoices/invoice-end.ts'
import { isUpToDate } from '../parking/is-up-to-date.ts'
import { type Network, networkOf, type Services } from '../services.ts'
import { eachApart } from '../setbacks/each-apart.ts'
import { followUp } from './follow-up.ts'
import { type ExistingCheckout, existing, type ProcessFailure, stepContext, withoutRejection } from './steps.ts'
import { fateOf } from './transaction-fate.ts'

/** How far the ledger was walked: but for what was skipped, nothing that closed up to there is still to come. */
export type Walked = LedgerHead

/**
 * Looks after payments that should have ended by now, and those that wait for a relayed transaction. One that can never
 * be included, or that was and brought nothing, is recorded as dead; then whatever follows from the checkout is written,
 * which also finishes what a crash had left half done. A sweep looks after every pending payment, due or not, and again
 * for transactions that were left to a person.
 */
export const resolvePendingPayments =
  (services: Services) =>
  (environment: Environment, walked: Walked, isSweep: boolean): TE.TaskEither<ProcessFailure, void> =>
  async () => {
    const following = await followingOf(services.store, environment)()
    if (E.isLeft(following)) return following
    const { payments } = services.readModels
    return eachApart(services, environment, {
      loop: 'pending_payments',
      items: payments.due(environment, isSweep ? Number.MAX_SAFE_INTEGER : walked.closedAt),
      again: ({ id }) => payments.withId(id),
      isInTurn: isUpToDate(services),
      work: (due) => resolve(services, due, walked, following.right, isSweep),
    })
  }

const resolve = async (
  services: Services,
  { merchantId, environment, row }: Found<PaymentRow>,
  walked: Walked,
  following: LedgerFollowingState,
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
  const ended = await endInvoice(services)(scope, sessionId, before.right.details, walked.closedAt)()
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
    const fate = await fateOf(services, network.right, following)({ ...transaction, ...sent }, walked)()
    if (E.isLeft(fate)) return fate
    if (fate.right === 'awaited') await sendAgain(network.right, transaction, walked)
    if (fate.right === 'awaited' || isAwaitingRate()) continue
    const context = stepContext(scope, consequence(environment, sessionId), `dead ${transactionHash}`, walked.closedAt)
    const sessions = sessionsOf(sessionId)
    const decide = sessions.decider.decide({ type: 'RecordDeadTransaction', transactionHash })
    const recorded = await execute(services.store)(sessions, sessionId, context, decide)()
    // It was received just now, from the skipped ledger that holds it.
    if (E.isLeft(recorded) && recorded.left._tag === 'TransactionHasCredit') continue
    const isRecorded = withoutRejection(recorded)
    if (E.isLeft(isRecorded)) return isRecorded
  }
  const settled = inFlight.length === 0 ? checkout : await sessionNow(services, sessionId)
  if (E.isLeft(settled)) return settled
  return followUp(services)({ ...scope, sessionId, at: walked.closedAt }, settled.right)()
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
  return E.isLeft(stream) ? stream : E.right(existing(fold(sessions, stream.right.events), id))
}
