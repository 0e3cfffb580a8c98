import {
  AuthorizationId,
  count,
  type Environment,
  PriceChange,
  PriceChangeId,
  Subscription,
  SubscriptionId,
} from '@quittance/domain'
import type { LedgerHead } from '@quittance/ledger'
import { type Found, type PriceChangeRow, priceChangeEntryId } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { createdId } from '../../kernel/derive.ts'
import { step, stepUnless } from '../../kernel/step.ts'
import { stepContext, stepContextOf } from '../../kernel/step-context.ts'
import { eachIsolated } from '../../services/each-isolated.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import { payableReference } from '../../services/reference.ts'
import type { Services } from '../../services/services.ts'
import { priceAt } from '../subscriptions/price.ts'

/** How many subscriptions one step tells: no more than a second or two of work, during which nothing is sent. */
const mostInOneStep = 400

/** How far a process has come with the notices of each price change: another process begins again, and repeats none. */
export type NoticeMemory = Map<string, string>

type Work = { readonly services: Services; readonly ingested: LedgerHead; readonly noticed: NoticeMemory }
/** Whether more is to be done. */
type Worked = Promise<E.Either<ProcessFailure, boolean>>

/** Tells subscriptions of price changes, and of those that were canceled. Returns whether others may be waiting. */
export const workOffPriceChanges = async (work: Work, environment: Environment): Worked => {
  const { services, ingested } = work
  const { priceChanges } = services.readModels
  let isMore = false
  const worked = await eachIsolated(services, environment, {
    loop: 'price_changes',
    items: priceChanges.due(environment, ingested.closedAt),
    again: ({ id }) => priceChanges.withId(id),
    work: async (found) => {
      const done = found.row.status === 'scheduled' ? await announce(work, found) : await withdraw(work, found)
      if (E.isRight(done) && done.right) isMore = true
      return done
    },
  })
  return E.isLeft(worked) ? worked : E.right(isMore)
}

/**
 * Tells the next subscriptions of the product. All that began before it was scheduled are ingested by now. Without a rate it
 * waits: whether the customer has to consent depends on it.
 */
const announce = async ({ services, ingested, noticed }: Work, found: Found<PriceChangeRow>): Worked => {
  const { store, readModels } = services
  const { id, row } = found
  if (row.status !== 'scheduled' || row.noticed !== null) return E.right(false)
  const at = ingested.closedAt
  const { details } = row
  const quoted = await priceAt(services, found, details.price, details, at)
  if (E.isLeft(quoted)) return quoted.left._tag === 'StoreUnavailable' ? quoted : E.right(false)
  const startingAfter = noticed.get(id)
  const page = await readModels.subscriptions.page({
    merchantId: found.merchantId,
    environment: found.environment,
    lookupKey: details.productId,
    limit: mostInOneStep,
    ...(startingAfter === undefined ? {} : { startingAfter }),
  })
  for (const { id: subscriptionId, row: subscription } of page.rows) {
    const isTold = (await readModels.priceChangeSubscriptions.withId(priceChangeEntryId(id, subscriptionId))) !== null
    if (isTold || subscription.status === 'canceled') continue
    const context = stepContext(found, `${found.environment}/${id}`, `announce to ${subscriptionId}`, at)
    const authorizationId = createdId(AuthorizationId, at, context.commandId)
    const { productId, interval, price, assetId, effectiveAt, withoutConsent, scheduledAt } = details
    const decide = Subscription.decider.decide({
      type: 'AnnouncePriceChange',
      priceChangeId: decodeOrThrow(PriceChangeId, id),
      ...{ productId, interval, price, assetId, effectiveAt, withoutConsent, scheduledAt },
      quote: quoted.right.amount,
      authorizationId,
      reference: await payableReference(services, found.environment, authorizationId),
      at,
    })
    const known = decodeOrThrow(SubscriptionId, subscriptionId)
    const told = await stepUnless(store)(['SubscriptionIsCanceled'], Subscription, known, context, decide)
    if (E.isLeft(told)) return told
  }
  const last = page.rows.at(-1)
  if (page.hasMore && last !== undefined) {
    noticed.set(id, last.id)
    return E.right(true)
  }
  noticed.delete(id)
  const progress = await readModels.priceChangeProgress.of(found, id)
  const subscriptions = count(Object.values(progress).reduce((sum, each) => sum + each, 0))
  const context = stepContextOf(found, id, 'all noticed', at)
  const decide = PriceChange.decider.decide({ type: 'RecordNotices', subscriptions, at })
  return E.map(() => false)(await step(store)(PriceChange, id, context, decide))
}

/** Tells the subscriptions that wait for a canceled price change. */
const withdraw = async ({ services, ingested }: Work, found: Found<PriceChangeRow>): Worked => {
  const { store, readModels } = services
  const { id, merchantId, environment } = found
  if (found.row.status !== 'withdrawing') return E.right(false)
  const at = ingested.closedAt
  for (const status of ['waiting', 'awaiting_consent'] as const) {
    const page = await readModels.priceChangeSubscriptions.page({
      ...{ merchantId, environment, listedUnder: id, status, limit: mostInOneStep },
    })
    for (const { row } of page.rows) {
      const context = stepContext(found, `${environment}/${id}`, `withdraw from ${row.subscriptionId}`, at)
      const decide = Subscription.decider.decide({
        type: 'DropPriceChange',
        priceChangeId: decodeOrThrow(PriceChangeId, id),
        at,
      })
      const told = await step(store)(Subscription, row.subscriptionId, context, decide)
      if (E.isLeft(told)) return told
    }
    if (page.hasMore) return E.right(true)
  }
  const context = stepContextOf(found, id, 'withdrawn', at)
  const decide = PriceChange.decider.decide({ type: 'RecordWithdrawal', at })
  return E.map(() => false)(await step(store)(PriceChange, id, context, decide))
}
