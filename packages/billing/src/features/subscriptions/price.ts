import { asText, type FiatPrice, type NewQuote, type SubscriptionDetails, type UnixMs } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { type NetworkNotConfigured, networkOf, type Services } from '../../services/services.ts'
import type { MerchantNotReady } from '../../services/settlements.ts'
import type { QuoteFailure } from '../../stores/quotes/quoter.ts'

export type PriceFailure = QuoteFailure | MerchantNotReady | NetworkNotConfigured | StoreUnavailable

/** What a price costs at a moment in the asset that a subscription settles in. One no longer accepted counts as without a peg. */
export const priceAt =
  (services: Services) =>
  (
    { merchantId, environment }: Scope,
    price: FiatPrice,
    { assetId }: Pick<SubscriptionDetails, 'assetId'>,
    at: UnixMs,
  ): TE.TaskEither<PriceFailure, NewQuote> =>
    pipe(
      TE.fromEither(networkOf(services, environment)),
      TE.bindTo('network'),
      TE.bindW('settlement', () => services.settlementOf(merchantId, environment)),
      TE.chainW(({ network, settlement: { accepted } }) => {
        const known = accepted.find((each) => each.assetId === assetId)
        return network.quote(
          { _tag: 'fiat', ...price },
          known ?? { assetId, description: asText(''), pegged: false },
          at,
        )
      }),
    )
