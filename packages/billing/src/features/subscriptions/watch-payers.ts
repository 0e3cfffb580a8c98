import { type Environment, hourMs, Subscription } from '@quittance/domain'
import { readMandates } from '@quittance/ledger'
import type { Found, SubscriptionDebtRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { derivedCommandId } from '../../kernel/derive.ts'
import { stepUnless } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import { eachIsolated } from '../../services/each-isolated.ts'
import { isUpToDate } from '../../services/is-up-to-date.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Network } from '../../services/services.ts'
import type { DueWork } from './due-work.ts'
import { problemOf } from './preflight.ts'

/** The most wallets that are read with each ledger, the oldest debts first: some hundred requests to a node. */
const mostAtOnce = 5_000

/** The pause after a retry that the contract refused although the wallet seemed able to pay. */
const betweenTriesMs = hourMs

/**
 * Reads the wallets of customers with debts once for each ledger, and makes a charge due at once if nothing would
 * prevent it any more. If no node answers, the retry schedule goes on by itself.
 */
export const watchPayers = async (
  { services, ingested }: DueWork,
  { gateway }: Pick<Network, 'gateway'>,
  environment: Environment,
): Promise<E.Either<ProcessFailure, void>> => {
  const debts: Array<Found<SubscriptionDebtRow>> = []
  for await (const debt of services.readModels.subscriptionDebts.due(environment, Number.MAX_SAFE_INTEGER)) {
    if (debts.length === mostAtOnce) break
    const { fundedAt } = debt.row
    if (fundedAt !== null && ingested.closedAt < fundedAt + betweenTriesMs) continue
    debts.push(debt)
  }
  if (debts.length === 0) return E.right(undefined)
  const standings = await readMandates(gateway)(
    debts.map(({ row: { contract, mandateId: mandate, customer, assetId } }) => ({
      contract,
      mandate,
      customer,
      assetId,
    })),
  )()
  if (E.isLeft(standings)) return E.right(undefined)
  const known = new Map(debts.map(({ id }, index) => [id, standings.right[index]]))
  return eachIsolated(services, environment, {
    loop: 'payers',
    items: debts,
    // A debt that remains is read again with each ledger.
    again: async () => null,
    isInTurn: isUpToDate(services),
    work: async ({ id, merchantId, row }) => {
      const standing = known.get(id)
      if (standing === undefined || row.owed === null || problemOf(standing, row.owed.amount, 0) !== null)
        return E.right(undefined)
      const cause = derivedCommandId(`${environment}/${id}`, `owed since ${row.owed.since}`)
      const context = stepContext(
        { merchantId, environment },
        cause,
        `retry at ${ingested.sequence}`,
        ingested.closedAt,
      )
      const decide = Subscription.decider.decide({ type: 'RequestRetry', cause: 'funded', at: ingested.closedAt })
      // The subscription was paid, paused or canceled meanwhile.
      return stepUnless(services.store)(['StatusForbids'], Subscription, id, context, decide)
    },
  })
}
