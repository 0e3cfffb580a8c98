import {
  type AcceptedAsset,
  type AssetId,
  asText,
  type FiatPrice,
  type NewQuote,
  type SubscriptionDetails,
  type UnixMs,
} from '@quittance/domain'
import type { AgreedQuote } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { type NetworkNotConfigured, networkOf, type Services } from '../../services/services.ts'
import type { MerchantNotReady } from '../../services/settlements.ts'
import type { Pricer, QuoteFailure } from '../../stores/quotes/quoter.ts'

type PriceServices = Pick<Services, 'settlementOf' | 'networks'>

export type PriceFailure = QuoteFailure | MerchantNotReady | NetworkNotConfigured | StoreUnavailable

/**
 * The amount of the subscription's asset that a price takes at a moment. An asset that is no longer accepted counts as
 * not pegged.
 */
export const priceAt = async (
  services: PriceServices,
  { merchantId, environment }: Scope,
  price: FiatPrice,
  { assetId }: Pick<SubscriptionDetails, 'assetId'>,
  at: UnixMs,
): Promise<E.Either<PriceFailure, NewQuote>> => {
  const priced = await pricedIn(services, { merchantId, environment }, assetId)
  return E.isLeft(priced) ? priced : priced.right.quote({ _tag: 'fiat', ...price }, priced.right.asset, at)()
}

/** The same by the last rates that sources agreed on; none unless the asset is pegged and kept its peg. */
export const agreedPrice = async (
  services: PriceServices,
  scope: Scope,
  price: FiatPrice,
  { assetId }: Pick<SubscriptionDetails, 'assetId'>,
): Promise<E.Either<MerchantNotReady | NetworkNotConfigured | StoreUnavailable, O.Option<AgreedQuote>>> => {
  const priced = await pricedIn(services, scope, assetId)
  return E.isLeft(priced) ? priced : E.right(await priced.right.lastAgreed(price, priced.right.asset))
}

const pricedIn = async (
  services: PriceServices,
  { merchantId, environment }: Scope,
  assetId: AssetId,
): Promise<E.Either<MerchantNotReady | NetworkNotConfigured | StoreUnavailable, Pricer & { asset: AcceptedAsset }>> => {
  const network = networkOf(services, environment)
  if (E.isLeft(network)) return network
  const settlement = await services.settlementOf(merchantId, environment)()
  if (E.isLeft(settlement)) return settlement
  const accepted = settlement.right.accepted.find((each) => each.assetId === assetId)
  const asset = accepted ?? { assetId, description: asText(''), pegged: false }
  return E.right({ ...network.right, asset })
}
