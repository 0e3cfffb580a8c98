import {
  type AssetId,
  closingOf,
  type Environment,
  lastDue,
  PayoutBook,
  PayoutId,
  type PayoutSchedule,
  type PayoutTarget,
  type Stroops,
  type UnixMs,
} from '@quittance/domain'
import type { Found, PayoutBookRow, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { createdId, derivedCommandId } from '../../kernel/derive.ts'
import { assetOfBook } from '../../kernel/payout-book.ts'
import { stepUnless } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import { eachIsolated } from '../../services/each-isolated.ts'
import { isUpToDate } from '../../services/is-up-to-date.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import { observeFunds, positive } from './funds.ts'
import { resumeClaim } from './resume.ts'
import type { PayoutServices } from './services.ts'
import { checkTarget, targetOf } from './target.ts'

type ScheduleServices = PayoutServices & Pick<Services, 'freezing'>

/**
 * Runs the schedules that are due as of a closed ledger. A payout's id derives from the asset's book and the moment at which
 * it was due, and the book's stream decides, so it is made once by whatever process. After a downtime only the newest moment
 * counts. If the ledger cannot be observed now, the next step tries again.
 */
export const runPayoutSchedules = (services: ScheduleServices) => {
  // Below its threshold a schedule writes nothing: this process looks at it once for each full hour.
  const looked = new Map<string, UnixMs>()
  const work = async (found: Found<PayoutBookRow>, closedAt: UnixMs): Promise<E.Either<ProcessFailure, void>> => {
    const { id, row } = found
    if (row.schedule === null) return E.right(undefined)
    const dueAt = lastDue(row.schedule, closedAt)
    if (dueAt <= row.ranThrough || looked.get(id) === dueAt) return E.right(undefined)
    const frozen = await services.freezing.now()
    if (E.isLeft(frozen)) return frozen
    // What a merchant who closes has may be needed for refunds.
    if (closedAt < (closingOf(frozen.right, found.merchantId)?.refundsUntil ?? 0)) return E.right(undefined)
    const ran = await run(services, found, row.schedule, dueAt)
    if (E.isRight(ran) && ran.right) looked.set(id, dueAt)
    return E.isLeft(ran) ? ran : E.right(undefined)
  }
  return (environment: Environment, closedAt: UnixMs): Promise<E.Either<ProcessFailure, void>> =>
    eachIsolated(services, environment, {
      loop: 'payout_schedules',
      items: services.readModels.payoutSchedules.due(environment, closedAt),
      again: ({ id }) => services.readModels.payoutSchedules.withId(id),
      isInTurn: isUpToDate(services),
      work: (found) => work(found, closedAt),
    })
}

/** Runs a schedule. False if a payout has ended since the ledger was looked at, or if that was not ingested yet. */
const run = async (
  services: PayoutServices,
  { id, merchantId, environment }: Found<PayoutBookRow>,
  { destinationId, reserve }: PayoutSchedule,
  dueAt: UnixMs,
): Promise<E.Either<ProcessFailure, boolean>> => {
  const scope = { merchantId, environment }
  const assetId = assetOfBook(id)
  const settlement = await services.settlementOf(merchantId, environment)()
  if (E.isLeft(settlement)) return settlement
  // The money is at an account of the merchant's own already.
  if (settlement.right.custody === 'merchant') return E.right(true)
  const funds = await observeFunds(services, scope, [assetId])
  if (E.isLeft(funds)) return funds
  if (!funds.right.isIngested) return E.right(false)
  const { spendable, bookedFees } = funds.right.of(assetId)
  const target = await usableTarget(services, scope, destinationId, assetId, atMost(spendable, reserve), dueAt)
  if (E.isLeft(target)) return target
  const cause = `${id} ${dueAt}`
  const payoutId = createdId(PayoutId, dueAt, derivedCommandId(cause, 'payout'))
  const { observedAt, epoch, account: source } = funds.right
  const observed = { spendable, bookedFees, observedAt, epoch, source }
  const command = { payoutId, dueAt, assetId, target: target.right, ...observed }
  const decide = PayoutBook.decider.decide({ type: 'RunPayoutSchedule', ...command })
  const context = stepContext(scope, cause, 'run schedule', dueAt)
  const ran = await stepUnless(services.store)(['BalanceOutdated'], PayoutBook, id, context, decide)
  if (E.isLeft(ran)) return ran
  if (ran.right === null) return E.right(false)
  const resumed = await resumeClaim(services, scope, ran.right, payoutId)
  return E.isLeft(resumed) ? resumed : E.right(true)
}

const atMost = (spendable: Stroops, reserve: Stroops): Stroops => positive(spendable - reserve)

/** Null if nothing can be paid to the destination; left if that cannot be found out. */
const usableTarget = async (
  services: PayoutServices,
  scope: Scope,
  destination: string,
  assetId: AssetId,
  amount: Stroops,
  at: UnixMs,
): Promise<E.Either<ProcessFailure, PayoutTarget | null>> => {
  const target = await targetOf(services, scope, { destination, memo: null, mayChangeMemo: false }, at)
  if (E.isLeft(target)) return target.left._tag === 'StoreUnavailable' ? E.left(target.left) : E.right(null)
  const fits = await checkTarget(services, scope, target.right, assetId, amount)
  if (E.isRight(fits)) return E.right(target.right)
  return fits.left._tag === 'DestinationUnfit' ? E.right(null) : E.left(fits.left)
}
