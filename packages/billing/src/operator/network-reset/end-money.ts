import { asText, Exception, Migrations, Payment, PayoutBook, PayoutId, PriceChange, RefundId } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { endPayout } from '../../features/payouts/end.ts'
import { endRefund } from '../../features/refunds/end.ts'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { stateOf } from '../../kernel/load.ts'
import { platform } from '../../kernel/platform.ts'
import { step } from '../../kernel/step.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import { type Ending, type EndSome, endEach, endingStep, rowsOf } from './ending.ts'
import { ensureUnderWay } from './fence.ts'

const everything = Number.MAX_SAFE_INTEGER

/** Fails refunds that wait for their time, for an approval or for money, and lets their payments go. */
export const endRefunds: EndSome = async (ending) => {
  const { services, environment, at } = ending
  const { readModels, store } = services
  const failed = await endEach(await rowsOf(ending, readModels.refunds.page, 'pending'), ({ id, merchantId }) =>
    endRefund(services, { merchantId, environment }, decodeOrThrow(RefundId, id), {
      type: 'FailRefund',
      reason: 'network_reset',
      code: null,
      at,
    }),
  )
  if (E.isLeft(failed)) return failed
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  // A process died right after the claim.
  const claimed = await endEach(
    await Array.fromAsync(readModels.refundClaims.due(environment, everything)),
    async (found) => {
      const refundId = found.row.claim?.refundId
      if (refundId === undefined || (await readModels.refunds.withId(refundId)) !== null) return E.right(undefined)
      const decide = Payment.decider.decide({ type: 'ReleaseRefund', refundId })
      return step(store)(Payment, found.id, endingStep(ending, found.merchantId, refundId), decide)
    },
  )
  return E.isLeft(claimed) ? claimed : E.right(failed.right + claimed.right)
}

/** Fails payouts that wait, and lets their claims go. */
export const endPayouts: EndSome = async (ending) => {
  const { services, environment, at } = ending
  const { readModels, store } = services
  const failed = await endEach(await rowsOf(ending, readModels.payouts.page, 'pending'), ({ id, merchantId }) =>
    endPayout(services, { merchantId, environment }, decodeOrThrow(PayoutId, id), {
      type: 'FailPayout',
      reason: 'network_reset',
      code: null,
      at,
    }),
  )
  if (E.isLeft(failed)) return failed
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const books = await Array.fromAsync(readModels.payoutClaims.due(environment, everything))
  const claims = books.flatMap(({ id, merchantId, row }) =>
    row.claims.map(({ payoutId }) => ({ id, merchantId, payoutId })),
  )
  const released = await endEach(claims, ({ id, merchantId, payoutId }) => {
    const decide = PayoutBook.decider.decide({ type: 'EndPayoutClaim', payoutId, paidIn: null })
    return step(store)(PayoutBook, id, endingStep(ending, merchantId, payoutId), decide)
  })
  return E.isLeft(released) ? released : E.right(failed.right + released.right)
}

/** Resolves exceptions, with whatever return is under way: their money is gone. */
export const endExceptions: EndSome = async (ending) => {
  const { services, at } = ending
  return endEach(await rowsOf(ending, services.readModels.exceptions.page, 'open'), ({ id, merchantId }) =>
    step(services.store)(
      Exception,
      id,
      endingStep(ending, merchantId, id),
      Exception.decider.decide({ type: 'EndForReset', at }),
    ),
  )
}

/** Cancels price changes that wait for their date, and the operator's migrations. */
export const endCampaigns =
  (by: string, reason: string): EndSome =>
  async (ending) => {
    const { services, environment, at } = ending
    const changes = await endEach(
      await rowsOf(ending, services.readModels.priceChanges.page, 'scheduled'),
      ({ id, merchantId }) =>
        step(services.store)(
          PriceChange,
          id,
          endingStep(ending, merchantId, id),
          PriceChange.decider.decide({ type: 'CancelPriceChange', at, why: 'network_reset' }),
        ),
    )
    if (E.isLeft(changes)) return changes
    const migrations = await stateOf(services.store)(Migrations, environment)
    if (E.isLeft(migrations)) return migrations
    const why = { by: asText(by), reason: asText(`network_reset: ${reason}`), at }
    const open = migrations.right.state.filter(({ end }) => end === null)
    const canceled = await endEach(open, ({ merchantId }) => {
      const of = merchantId === undefined ? {} : { merchantId }
      const context = endingStep(ending, platform, `migration ${merchantId ?? 'of all'}`)
      return step(services.store)(
        Migrations,
        environment,
        context,
        Migrations.decider.decide({ type: 'CancelMigration', ...why, ...of }),
      )
    })
    return E.isLeft(canceled) ? canceled : E.right(changes.right + canceled.right)
  }

/** Forgets what only the former ledger could have answered. */
export const forgetWaiting: EndSome = async (ending) => {
  const { relays, parked } = ending.services
  const { environment } = ending
  const nextRelay = async () => (await relays.of(environment))[0] ?? null
  const nextShare = async () => {
    const [queue] = await parked.queues(environment)
    return queue === undefined ? null : await parked.first(environment, queue.id)
  }
  const relayed = await forgetEach(ending, nextRelay, relays.remove)
  if (E.isLeft(relayed)) return relayed
  const shares = await forgetEach(ending, nextShare, parked.remove)
  return E.isLeft(shares) ? shares : E.right(relayed.right + shares.right)
}

const forgetEach = async <A>(
  ending: Ending,
  next: () => Promise<A | null>,
  remove: (item: A) => Promise<void>,
): Promise<E.Either<ProcessFailure, number>> => {
  let forgotten = 0
  for (let item = await next(); item !== null; item = await next()) {
    const underWay = await ensureUnderWay(ending)
    if (E.isLeft(underWay)) return underWay
    await remove(item)
    forgotten += 1
  }
  return E.right(forgotten)
}
