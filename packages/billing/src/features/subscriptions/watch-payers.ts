import { type Environment, hourMs, Subscription } from '@quittance/domain'
import { watchMandates } from '@quittance/ledger'
import type { DuePlace, Found, SubscriptionDebtRow } from '@quittance/projections'
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

/** How many wallets a worker reads with each ledger at most: 25 requests to a node. */
export const mostWatched = 1_000

/** The pause after a retry that the contract refused although the wallet seemed able to pay. */
const betweenTriesMs = hourMs

/** What a worker knows of payers from one ledger to the next. */
export type PayerWatch = {
  readonly read: ReturnType<typeof watchMandates>
  /** By the ids of subscriptions: what was found to be not enough, and for how much. */
  readonly unfit: Map<string, string>
  /** The debt after which the next ledger goes on; null: with the oldest. */
  after: DuePlace | null
}

export const payerWatch = ({ gateway }: Pick<Network, 'gateway'>): PayerWatch => ({
  read: watchMandates(gateway),
  unfit: new Map(),
  after: null,
})

/** After so many, it is found out again what is not enough. */
const mostUnfit = 100_000

type Debts = ReadonlyArray<Found<SubscriptionDebtRow>>

/** The debts whose turn it is. */
const debtsInTurn = async (
  { services, ingested }: DueWork,
  environment: Environment,
  most: number,
  watch: PayerWatch,
): Promise<Debts> => {
  const debts: Array<Found<SubscriptionDebtRow>> = []
  const rest = services.readModels.subscriptionDebts.due(environment, Number.MAX_SAFE_INTEGER, watch.after ?? undefined)
  watch.after = null
  let last: DuePlace | null = null
  for await (const debt of rest) {
    const { fundedAt, owed } = debt.row
    if (owed === null || (fundedAt !== null && ingested.closedAt < fundedAt + betweenTriesMs)) continue
    if (debts.length === most) {
      watch.after = last
      break
    }
    debts.push(debt)
    last = { dueAt: owed.since, id: debt.id }
  }
  return debts
}

/**
 * Reads the wallets of customers with debts once for each ledger, or `most` of them in turn, and makes a charge due at once if nothing
 * would prevent it any more. If no node answers, the retry schedule goes on by itself.
 */
export const watchPayers = async (
  work: DueWork,
  environment: Environment,
  most: number,
  watch: PayerWatch,
): Promise<E.Either<ProcessFailure, void>> => {
  const { services, ingested } = work
  const debts = await debtsInTurn(work, environment, most, watch)
  if (debts.length === 0) return E.right(undefined)
  const mandates = await watch.read(
    debts.map(({ row: { contract, mandateId: mandate, customer, assetId } }) => ({
      contract,
      mandate,
      customer,
      assetId,
    })),
  )()
  if (E.isLeft(mandates)) return E.right(undefined)
  const fit = debts.filter(({ id, row: { owed, mandateId } }, index) => {
    const mandate = mandates.right[index]
    if (mandate === undefined || owed === null) return false
    const found = mandate.writtenIn === null ? null : `${mandateId} ${owed.amount} ${mandate.writtenIn}`
    if (found !== null && watch.unfit.get(id) === found) return false
    const isFit = problemOf(mandate.standing(), owed.amount, 0) === null
    if (watch.unfit.size >= mostUnfit) watch.unfit.clear()
    if (isFit || found === null) watch.unfit.delete(id)
    else watch.unfit.set(id, found)
    return isFit
  })
  return eachIsolated(services, environment, {
    loop: 'payers',
    items: fit,
    // A debt that remains is read again in its turn.
    again: async () => null,
    isInTurn: isUpToDate(services),
    work: async ({ id, merchantId, row: { owed } }) => {
      const cause = derivedCommandId(`${environment}/${id}`, `owed since ${owed?.since}`)
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
