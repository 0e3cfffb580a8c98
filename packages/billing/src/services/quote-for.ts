import { asText, type NewQuote, type UnixMs } from '@quittance/domain'
import type { CheckoutRow, Found } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { StoreUnavailable } from '../kernel/load.ts'
import type { QuoteFailure } from '../stores/quotes/quoter.ts'
import { type NetworkNotConfigured, networkOf, type Services } from './services.ts'
import type { MerchantNotReady } from './settlements.ts'

/** A new quote of a checkout's price at a moment. An asset that is no longer accepted counts as one without a peg. */
export const quoteFor =
  (services: Services) =>
  (
    { merchantId, environment, row: { details } }: Found<CheckoutRow>,
    at: UnixMs,
  ): TE.TaskEither<QuoteFailure | MerchantNotReady | NetworkNotConfigured | StoreUnavailable, NewQuote> =>
    pipe(
      TE.fromEither(networkOf(services, environment)),
      TE.bindTo('network'),
      TE.bindW('settlement', () => services.settlementOf(merchantId, environment)),
      TE.chainW(({ network, settlement }) => {
        const { assetId, price } = details
        const known = settlement.accepted.find((each) => each.assetId === assetId)
        return network.quote(price, known ?? { assetId, description: asText(''), pegged: false }, at)
      }),
    )
