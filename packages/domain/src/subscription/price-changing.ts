import { afterNotice } from '../price-change/index.ts'
import { nothing } from '../shared/decider.ts'
import { isSame } from '../shared/equality.ts'
import type { Stroops } from '../shared/stroops.ts'
import { type UnixMs, unixMs } from '../shared/units.ts'
import { requestedBy } from './authorization.ts'
import type { AnnouncePriceChange, ApplyPriceChange, DropPriceChange } from './commands.ts'
import {
  attemptUnderWay,
  type Decision,
  forbidden,
  type LaterEvent,
  record,
  reject,
  rejectUnderWay,
} from './decision.ts'
import { chargeDueAt } from './next-charge.ts'
import { priceChangeFor, waitingPriceChange } from './pending-price.ts'
import type { PriceChangeSeen, SubscriptionRecord } from './state.ts'

/** Whether the mandate that counts allows an amount of an asset. */
const isAllowed = (
  { authorization, details }: SubscriptionRecord,
  { assetId }: Pick<PriceChangeSeen, 'assetId'>,
  quote: Stroops,
): boolean => assetId === details.assetId && quote <= authorization.mandate.cap

/** Whether a price change concerns this subscription and says something new to it. The newest one counts. */
const concerns = (command: AnnouncePriceChange, state: SubscriptionRecord): boolean => {
  const { priceChangeId, productId, interval, price, assetId, scheduledAt } = command
  const { details, terms, priceChange } = state
  if (details.startedAt > scheduledAt || terms.productId !== productId || terms.interval !== interval) return false
  const isNewest =
    priceChange === undefined ||
    priceChange.scheduledAt < scheduledAt ||
    (priceChange.scheduledAt === scheduledAt && priceChange.priceChangeId < priceChangeId)
  const isNew = waitingPriceChange(state) !== null || !isSame(price, terms.price) || assetId !== details.assetId
  return isNewest && isNew
}

/**
 * Tells of a new price at least 30 days ahead, and asks for a new mandate where the present one does not allow it. A mandate
 * that is asked for already serves. A later change takes the place of one that waits.
 */
export const announcePriceChange = (command: AnnouncePriceChange, state: SubscriptionRecord): Decision => {
  if (state.lifecycle._tag === 'canceled') return forbidden(state)
  if (!concerns(command, state)) return nothing
  const { priceChangeId, price, assetId, withoutConsent, scheduledAt, quote, at } = command
  const needsConsent = !isAllowed(state, command, quote)
  const effectiveAt = unixMs(Math.max(command.effectiveAt, afterNotice(at)))
  const isAsked = state.cancellation !== null || state.authorization.requested?.kind === 'mandate'
  const notice = { priceChangeId, price, assetId, effectiveAt, withoutConsent, needsConsent, scheduledAt }
  return record(
    ...dropped(state, 'superseded', at),
    ...(needsConsent && !isAsked ? [requestedBy(command, 'mandate', 'price_change')] : []),
    { type: 'PriceChangeAnnounced', data: { notice, at } },
  )
}

/**
 * The new price counts from the charge that is due on, if the mandate allows it or the customer has signed for it. Otherwise the
 * old price stays; a subscription whose customer was asked in time ends, where the merchant has chosen that.
 */
export const applyPriceChange = (
  { priceChangeId, quote, at }: ApplyPriceChange,
  state: SubscriptionRecord,
): Decision => {
  const { priceChange, lifecycle } = state
  if (priceChange?.priceChangeId === priceChangeId && priceChange.ended !== null) return nothing
  if (lifecycle._tag === 'canceled') return forbidden(state)
  const underWay = attemptUnderWay(state)
  if (underWay !== null) return rejectUnderWay(underWay)
  const dueAt = chargeDueAt(state)
  const due = dueAt === null || at < dueAt ? null : priceChangeFor(state, at)
  if (due?.priceChangeId !== priceChangeId) return reject({ _tag: 'NotDue', dueAt })
  const { price, needsConsent, acceptedAt, withoutConsent } = due
  const isPermitted = acceptedAt !== null || (quote === null ? !needsConsent : isAllowed(state, due, quote))
  if (isPermitted) {
    return record({ type: 'PriceChanged', data: { priceChangeId, terms: { ...state.terms, price }, at } })
  }
  const outcome = needsConsent ? withoutConsent : 'keep'
  const refused: LaterEvent = { type: 'PriceChangeRefused', data: { priceChangeId, outcome, at } }
  if (outcome === 'keep') return record(refused)
  const canceledAt = endOfPaid(state, at)
  return record(refused, { type: 'SubscriptionCanceled', data: { reason: 'price_change', canceledAt } })
}

/** What was paid for ends it; a debt, or a pause, ends it now. */
const endOfPaid = ({ lifecycle, collection, covered }: SubscriptionRecord, at: UnixMs): UnixMs =>
  lifecycle._tag === 'running' && collection._tag === 'current' ? covered.period.end : at

export const dropPriceChange = ({ priceChangeId, at }: DropPriceChange, state: SubscriptionRecord): Decision =>
  state.priceChange?.priceChangeId === priceChangeId ? record(...dropped(state, 'withdrawn', at)) : nothing

type Why = Extract<LaterEvent, { readonly type: 'PriceChangeDropped' }>['data']['why']

const dropped = (state: SubscriptionRecord, why: Why, at: UnixMs): ReadonlyArray<LaterEvent> => {
  const waiting = waitingPriceChange(state)
  if (waiting === null) return []
  return [{ type: 'PriceChangeDropped', data: { priceChangeId: waiting.priceChangeId, why, at } }]
}

/** A price change that waits ends with the subscription, or with the product that it is for. */
export const endingPriceChange = (
  state: SubscriptionRecord,
  events: ReadonlyArray<LaterEvent>,
): ReadonlyArray<LaterEvent> => {
  if (waitingPriceChange(state) === null || events.some(({ type }) => type === 'PriceChangeRefused')) return events
  return events.flatMap((event) => {
    if (event.type === 'SubscriptionCanceled') {
      return [...dropped(state, 'subscription_ended', event.data.canceledAt), event]
    }
    return event.type === 'ProductSwapped' ? [...dropped(state, 'plan_changed', event.data.at), event] : [event]
  })
}
