import { asText, type NewQuote, type UnixMs } from '@quittance/domain'
import type { CheckoutRow, Found } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { StoreUnavailable } from '../kernel/load.ts'
import type { QuoteFailure } from '../stores/quotes/quoter.ts'
import { type NetworkNotConfigured, networkOf, type Services } from './services.ts'
import type { MerchantNotReady } from './settlements.ts'

/** What a quote needs to know of a checkout. */
export type Priced = Pick<CheckoutRow, 'details'>

/** Quotes a checkout's price at a moment. An asset that the merchant no longer accepts counts as one without a peg. */
export const quoteFor = async (
  services: Pick<Services, 'networks' | 'settlementOf'>,
  { merchantId, environment, row }: Found<Priced>,
  at: UnixMs,
): Promise<E.Either<QuoteFailure | MerchantNotReady | NetworkNotConfigured | StoreUnavailable, NewQuote>> => {
  const network = networkOf(services, environment)
  if (E.isLeft(network)) return network
  const settlement = await services.settlementOf(merchantId, environment)()
  if (E.isLeft(settlement)) return settlement
  const { assetId, price } = row.details
  const accepted = settlement.right.accepted.find((each) => each.assetId === assetId)
  return network.right.quote(price, accepted ?? { assetId, description: asText(''), pegged: false }, at)()
}
