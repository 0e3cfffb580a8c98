import { Checkout, type Environment, type SubmittedTransaction, transactionsInFlight } from '@quittance/domain'
import { isProvenDead, type LedgerGateway, type LedgerHead, type LedgerUnreachable } from '@quittance/ledger'
import type { Found, PaymentRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { execute, fold } from '../execute.ts'
import { consequence } from '../identity/derive.ts'
import { networkOf, type Services } from '../services.ts'
import { followUp } from './follow-up.ts'
import { existing, type ProcessFailure, stepContext, withoutRejection } from './steps.ts'

/** How far the ledger was walked: nothing that closed up to there is still to come. */
export type Walked = LedgerHead

/**
 * Looks after payments that should have ended by now, and those that wait for a relayed transaction. One that can never
 * be included, or that was and brought nothing, is recorded as dead; then whatever follows from the checkout is written, which also finishes what a
 * crash had left half done. A sweep looks after every pending payment, due or not.
 */
export const resolvePendingPayments =
  (services: Services) =>
  (environment: Environment, walked: Walked, isSweep: boolean): TE.TaskEither<ProcessFailure, void> =>
  async () => {
    const until = isSweep ? Number.MAX_SAFE_INTEGER : walked.closedAt
    for (const due of services.readModels.payments.due(environment, until)) {
      const resolved = await resolve(services, due, walked)
      if (E.isLeft(resolved)) return resolved
    }
    return E.right(undefined)
  }

const resolve = async (
  services: Services,
  { merchantId, environment, row }: Found<PaymentRow>,
  walked: Walked,
): Promise<E.Either<ProcessFailure, void>> => {
  const { checkoutId } = row.details
  const network = networkOf(services, environment)
  if (E.isLeft(network)) return network
  const stream = await services.store.readStream(`${Checkout.category}-${checkoutId}`)()
  if (E.isLeft(stream)) return stream
  let checkout = existing(fold(Checkout, stream.right.events), checkoutId)
  for (const transaction of transactionsInFlight(checkout)) {
    const dead = await isDead(network.right.gateway, transaction, row, walked)
    if (E.isLeft(dead)) return dead
    if (!dead.right) continue
    const { transactionHash } = transaction
    const context = stepContext(
      { merchantId, environment },
      consequence(environment, checkoutId),
      `dead ${transactionHash}`,
      walked.closedAt,
    )
    const decide = Checkout.decider.decide({ type: 'RecordDeadTransaction', transactionHash })
    const recorded = withoutRejection(await execute(services.store)(Checkout, checkoutId, context, decide)())
    if (E.isLeft(recorded)) return recorded
    checkout = existing(recorded.right.state, checkoutId)
  }
  return followUp(services)({ merchantId, environment, checkoutId, at: walked.closedAt }, checkout)()
}

/** Included: dead once the ledger that holds it was walked and credited nothing. Not found: only on proof. */
const isDead = async (
  gateway: LedgerGateway,
  { transactionHash, maxTime }: SubmittedTransaction,
  { createdAt }: PaymentRow,
  walked: Walked,
): Promise<E.Either<LedgerUnreachable, boolean>> => {
  const lookUp = await gateway.lookUp(transactionHash)()
  if (E.isLeft(lookUp)) return lookUp
  switch (lookUp.right._tag) {
    case 'Succeeded':
    case 'Failed':
      return E.right(lookUp.right.ledger <= walked.sequence)
    case 'NotFound':
      return E.right(
        isProvenDead(lookUp.right, { maxTime, firstSentAt: createdAt, highestLedgerSeen: walked.sequence }),
      )
  }
}
