import { asText, type FiatPrice, type NewQuote, type SubscriptionDetails, type UnixMs } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { type NetworkNotConfigured, networkOf, type Services } from '../../services/services.ts'
import type { MerchantNotReady } from '../../services/settlements.ts'
import type { QuoteFailure } from '../../stores/quotes/quoter.ts'

export type PriceFailure = QuoteFailure | MerchantNotReady | NetworkNotConfigured | StoreUnavailable

/**
 * The amount of the subscription's asset that a price takes at a moment. An asset that is no longer accepted counts as
 * not pegged.
 */
export const priceAt = async (
  services: Pick<Services, 'settlementOf' | 'networks'>,
  { merchantId, environment }: Scope,
  price: FiatPrice,
  { assetId }: Pick<SubscriptionDetails, 'assetId'>,
  at: UnixMs,
): Promise<E.Either<PriceFailure, NewQuote>> => {
  const network = networkOf(services, environment)
  if (E.isLeft(network)) return network
  const settlement = await services.settlementOf(merchantId, environment)()
  if (E.isLeft(settlement)) return settlement
  const accepted = settlement.right.accepted.find((each) => each.assetId === assetId)
  const asset = accepted ?? { assetId, description: asText(''), pegged: false }
  return network.right.quote({ _tag: 'fiat', ...price }, asset, at)()
}
