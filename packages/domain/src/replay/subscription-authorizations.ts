import type { UnixMs } from '../shared/units.ts'
import type { SubscriptionCommand, SubscriptionEvent, SubscriptionRecord } from '../subscription/index.ts'
import { least, most, unusedAuthorization } from './fillers.ts'

type Of<Type extends SubscriptionEvent['type']> = Extract<SubscriptionEvent, { readonly type: Type }>['data']
type Next = ReadonlyArray<SubscriptionEvent>
type Commands = ReadonlyArray<SubscriptionCommand>

/** How the customer was asked for it: by itself, or with what made it necessary. What stood in the way of that asks later. */
export const requesting = (state: SubscriptionRecord, data: Of<'AuthorizationRequested'>, [second]: Next): Commands => {
  const { authorizationId, reference, why, at } = data
  const names = { authorizationId, ...(reference === undefined ? {} : { reference }) }
  switch (why) {
    case 'wallet_change':
      return [{ type: 'ChangeWallet', ...names, at }]
    case 'migration':
      return [{ type: 'RequestMigration', ...names, mandateId: state.authorization.mandate.mandateId, at }]
    case 'foreseen':
      return [
        ...(second === undefined ? [] : announcing(second, names)),
        { type: 'RequestAuthorization', ...names, at },
      ]
    case 'price_change':
      return [
        ...(second?.type === 'PriceChangeAnnounced' ? announcingPrice(state, second.data, names) : []),
        { type: 'RequestAuthorization', ...names, at },
      ]
    case 'charge_failed':
    case 'revoked':
    case 'swap_above_cap':
    case 'swap_of_interval':
    case 'expiring':
      return [{ type: 'RequestAuthorization', ...names, at }]
  }
}

type Names = Pick<Of<'AuthorizationRequested'>, 'authorizationId' | 'reference'>

const noNames = (at: UnixMs): Names => ({ authorizationId: unusedAuthorization(at) })

/** The end of a trial, or a renewal, is announced. */
export const announcing = (event: SubscriptionEvent, asked?: Names): Commands => {
  if (event.type === 'TrialEndAnnounced') {
    const { at, problem } = event.data
    return [{ type: 'AnnounceTrialEnd', at, problem, ...(asked ?? noNames(at)) }]
  }
  if (event.type !== 'RenewalAnnounced') return []
  const { n, at, problem } = event.data
  return [{ type: 'AnnounceRenewal', n, at, problem, ...(asked ?? noNames(at)) }]
}

export const announcingPrice = (
  state: SubscriptionRecord,
  { notice, at }: Of<'PriceChangeAnnounced'>,
  names: Names = noNames(at),
): Commands => {
  const { needsConsent, ...change } = notice
  const { productId, interval } = state.terms
  const quote = needsConsent ? most : least
  return [{ type: 'AnnouncePriceChange', ...change, productId, interval, quote, at, ...names }]
}

/** A price change that does not wait any more: it was withdrawn, or what follows has ended it. */
export const dropping = (state: SubscriptionRecord, data: Of<'PriceChangeDropped'>, next: Next): Commands => {
  const { priceChangeId, why, at } = data
  if (why === 'withdrawn') return [{ type: 'DropPriceChange', priceChangeId, at }]
  if (why !== 'superseded') return []
  const [second, third] = next
  if (second?.type === 'PriceChangeAnnounced') return announcingPrice(state, second.data)
  if (second?.type !== 'AuthorizationRequested' || third?.type !== 'PriceChangeAnnounced') return []
  return announcingPrice(state, third.data, second.data)
}

/** Another product is wanted; `assetId` is that of the subscription, or the swap would have been rejected. */
export const swapping = (
  { details }: SubscriptionRecord,
  { terms, at }: Pick<Of<'ProductSwapped'>, 'terms' | 'at'>,
  quote: typeof least,
  names: Names = noNames(at),
): SubscriptionCommand => ({ type: 'SwapProduct', terms, assetId: details.assetId, quote, at, ...names })

/** Where the mandate does not allow another product, a new one is asked for in the same decision. */
export const swappingLater = (state: SubscriptionRecord, data: Of<'SwapPending'>, [second]: Next): Commands =>
  second?.type === 'AuthorizationRequested' ? [swapping(state, data, most, second.data)] : []
