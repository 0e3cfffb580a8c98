import {
  AuthorizationId,
  type Count,
  dayMs,
  type FiatPrice,
  isSame,
  makeId,
  PriceChangeId,
  type ProductId,
  Subscription,
  type SubscriptionCommand,
  type SubscriptionEvent,
  type SubscriptionRecord,
  stroops,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'

/** What a product costs instead, for periods that begin at `since` or later, and for those who join from then on. */
export type OtherPrice = { readonly productId: ProductId; readonly price: FiatPrice; readonly since: UnixMs }

/**
 * What is different besides the merchant's policy, which is all that a stream of merchants holds. `longestPauseDays`: a pause by
 * the customer or the merchant ends after so many days; with 0 nobody can pause; null for no limit.
 */
export type OtherRules = {
  readonly from: UnixMs
  readonly prices: ReadonlyArray<OtherPrice>
  readonly longestPauseDays: Count | null
}

/** Nothing is different. */
export const notOtherwise: OtherRules = { from: unixMs(0), prices: [], longestPauseDays: null }

/** The other price of a product at a moment; null where it has none. */
export const otherPriceOf = ({ prices }: OtherRules, productId: ProductId, at: UnixMs): FiatPrice | null =>
  prices.find((each) => each.productId === productId && each.since <= at)?.price ?? null

/** A recorded command by other rules; null where nobody would have given it. */
export const byRules = (command: SubscriptionCommand, at: UnixMs, rules: OtherRules): SubscriptionCommand | null => {
  switch (command.type) {
    case 'StartSubscription':
    case 'SwapProduct': {
      const { terms } = command
      return { ...command, terms: { ...terms, price: otherPriceOf(rules, terms.productId, at) ?? terms.price } }
    }
    // The other price stands for all that the record has from then on.
    case 'AnnouncePriceChange':
      return otherPriceOf(rules, command.productId, at) === null ? command : null
    case 'Pause':
      return rules.longestPauseDays === 0 && at >= rules.from ? null : command
    default:
      return command
  }
}

/** What other rules do to a subscription by themselves. `pausedAt`: the pause that ends; null for a price. */
export type Intervention = {
  readonly at: UnixMs
  readonly pausedAt: UnixMs | null
  readonly events: ReadonlyArray<SubscriptionEvent>
}

/** The next intervention after `now`; null for none. Each pause in `ended` was ended once: how that went is left to the rules. */
export const interventionIn = (
  state: SubscriptionRecord,
  now: UnixMs,
  rules: OtherRules,
  ended: ReadonlySet<UnixMs>,
): Intervention | null => {
  const found = [endOfPause(state, now, rules, ended), newPrice(state, now, rules)].filter((each) => each !== null)
  return found.toSorted((one, other) => one.at - other.at).find(({ events }) => events.length > 0) ?? null
}

const decided = (command: SubscriptionCommand, state: SubscriptionRecord): ReadonlyArray<SubscriptionEvent> =>
  E.getOrElse((): ReadonlyArray<SubscriptionEvent> => [])(Subscription.decider.decide(command)(state))

const endOfPause = (
  state: SubscriptionRecord,
  now: UnixMs,
  { from, longestPauseDays }: OtherRules,
  ended: ReadonlySet<UnixMs>,
): Intervention | null => {
  const { lifecycle } = state
  if (longestPauseDays === null || lifecycle._tag !== 'paused' || lifecycle.resuming !== null) return null
  if (lifecycle.unsettled !== undefined || ended.has(lifecycle.at)) return null
  const at = unixMs(Math.max(now, from, lifecycle.at + longestPauseDays * dayMs))
  return { at, pausedAt: lifecycle.at, events: decided({ type: 'Resume', at }, state) }
}

const nothing = new Uint8Array(10)

/** Announced as any price change is, but in time, wherever the range begins; and as if every mandate allowed it. */
const newPrice = (state: SubscriptionRecord, now: UnixMs, { prices }: OtherRules): Intervention | null => {
  const { terms, details, priceChange, cancellation } = state
  const other = prices.find(({ productId }) => productId === terms.productId)
  if (other === undefined || cancellation !== null) return null
  const { productId, price, since } = other
  const waiting = priceChange?.ended === null ? priceChange : { price: terms.price, effectiveAt: 0 }
  if (isSame(waiting.price, price) && waiting.effectiveAt <= since) return null
  const at = unixMs(Math.max(now, since))
  const events = decided(
    {
      type: 'AnnouncePriceChange',
      priceChangeId: makeId(PriceChangeId, at, nothing),
      authorizationId: makeId(AuthorizationId, at, nothing),
      ...{ productId, interval: terms.interval, price, assetId: details.assetId, quote: stroops(0n) },
      ...{ effectiveAt: since, withoutConsent: 'keep', scheduledAt: at, at },
    },
    state,
  )
  return { at, pausedAt: null, events: events.map((event) => withoutNotice(event, since)) }
}

const withoutNotice = (event: SubscriptionEvent, effectiveAt: UnixMs): SubscriptionEvent =>
  event.type === 'PriceChangeAnnounced'
    ? { ...event, data: { ...event.data, notice: { ...event.data.notice, effectiveAt } } }
    : event
