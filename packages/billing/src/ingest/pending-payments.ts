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
import { stateOf } from '../kernel/load.ts'
import { type SessionId, sessionsOf } from '../kernel/session-kinds.ts'
import { stepUnless } from '../kernel/step.ts'
import { stepContextOf } from '../kernel/step-context.ts'
import { traceSubmit } from '../kernel/tracing/submit-span.ts'
import { eachIsolated } from '../services/each-isolated.ts'
import { isUpToDate } from '../services/is-up-to-date.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import { type Network, networkOf, type Services } from '../services/services.ts'
import { payerTransactionOutcome } from './payer-transaction-outcome.ts'
import type { IngestServices } from './services.ts'

/**
 * Resolves payments that should have ended by now, and those that wait for a relayed transaction. A transaction that
 * can never be included, or was included and brought nothing, is recorded as dead. Then the checkout is followed up,
 * which also finishes what a crash has left half done. A sweep resolves every pending payment, due or not, and looks
 * again for transactions that were left to an operator.
 */
export const resolvePendingPayments = async (
  services: IngestServices,
  environment: Environment,
  ingested: LedgerHead,
  isSweep: boolean,
): Promise<E.Either<ProcessFailure, void>> => {
  const ingestion = await stateOf(services.store)(LedgerIngestion, environment)
  if (E.isLeft(ingestion)) return ingestion
  const { payments } = services.readModels
  return eachIsolated(services, environment, {
    loop: 'pending_payments',
    items: payments.due(environment, isSweep ? Number.MAX_SAFE_INTEGER : ingested.closedAt),
    again: ({ id }) => payments.withId(id),
    isInTurn: isUpToDate(services),
    work: (due) => resolve(services, due, ingested, ingestion.right.state, isSweep),
  })
}

const resolve = async (
  services: IngestServices,
  { merchantId, environment, row }: Found<PaymentRow>,
  ingested: LedgerHead,
  ingestion: LedgerIngestionState,
  isSweep: boolean,
): Promise<E.Either<ProcessFailure, void>> => {
  const { checkoutId, invoiceId } = row.details
  const sessionId = invoiceId ?? checkoutId
  const scope = { merchantId, environment }
  const network = networkOf(services, environment)
  if (E.isLeft(network)) return network
  const before = await sessionNow(services, sessionId)
  if (E.isLeft(before)) return before
  // An invoice that is not owed any more: the part that was paid goes back.
  const ended = await endInvoice(services, scope, sessionId, before.right.details, ingested.closedAt)
  if (E.isLeft(ended)) return ended
  const checkout = invoiceId === undefined ? before : await sessionNow(services, sessionId)
  if (E.isLeft(checkout)) return checkout
  const sent = { ...scope, checkoutId, firstSentAt: row.createdAt }
  // Money that waits for a rate is not in the checkout yet: its transaction is not dead.
  const isAwaitingRate = () => services.awaitingRate.has(environment, sessionId)
  const inFlight = (await isAwaitingRate()) ? [] : transactionsInFlight(checkout.right)
  for (const transaction of inFlight) {
    const { transactionHash } = transaction
    if (!isSweep && ingestion.uncounted.some((each) => each.transactionHash === transactionHash)) continue
    const outcome = await payerTransactionOutcome(
      services,
      network.right,
      ingestion,
      { ...transaction, ...sent },
      ingested,
    )
    if (E.isLeft(outcome)) return outcome
    if (outcome.right === 'awaited') await sendAgain(network.right, transaction, ingested)
    if (outcome.right === 'awaited' || (await isAwaitingRate())) continue
    const context = stepContextOf(scope, sessionId, `dead ${transactionHash}`, ingested.closedAt)
    const sessions = sessionsOf(sessionId)
    const decide = sessions.decider.decide({ type: 'RecordDeadTransaction', transactionHash })
    // Its money was received just now, from the skipped ledger that holds it.
    const expected = ['TransactionHasCredit'] as const
    const recorded = await stepUnless(services.store)(expected, sessions, sessionId, context, decide)
    if (E.isLeft(recorded)) return recorded
  }
  const settled = inFlight.length === 0 ? checkout : await sessionNow(services, sessionId)
  if (E.isLeft(settled)) return settled
  return followUp(services, { ...scope, sessionId, at: ingested.closedAt }, settled.right)
}

/**
 * A node may drop a relayed transaction silently, and the payer is gone: so the same bytes are sent again. The answer
 * is no outcome: a node refuses bytes that are in a queue or in a ledger.
 */
const sendAgain = async (
  { gateway }: Network,
  { transactionHash: hash, envelopeXdr, maxTime }: SubmittedTransaction,
  { closedAt, sequence: afterLedger }: LedgerHead,
): Promise<void> => {
  if (envelopeXdr === undefined || closedAt > maxTime) return
  await traceSubmit({ hash, kind: 'payer', afterLedger }, gateway.submit(envelopeXdr))
}

const sessionNow = async (
  { store }: Pick<Services, 'store'>,
  id: SessionId,
): Promise<E.Either<ProcessFailure, ExistingCheckout>> => {
  const sessions = sessionsOf(id)
  const session = await stateOf(store)(sessions, id)
  return E.isLeft(session) ? session : E.right(existingCheckout(session.right.state, id))
}
