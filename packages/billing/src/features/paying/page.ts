import { type CheckoutRow, type Found, type ProductRow, products as productModel } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { retrieveLater, type StoreUnavailable } from '../../kernel/load.ts'
import { timestamp } from '../../resources/fields.ts'
import type { Services } from '../../services/services.ts'
import type { MerchantNotReady, Settlement } from '../../services/settlements.ts'
import type { CheckoutNotFound } from '../checkouts/options.ts'
import { type QuoteView, quoteView } from './quote.ts'
import { publicSession } from './session.ts'

/** What the hosted page shows. Without a rate there is no quote; the page then says so and asks again. */
export const pageView =
  (services: Services) =>
  (id: string): TE.TaskEither<StoreUnavailable | CheckoutNotFound | MerchantNotReady, PageView> =>
    pipe(
      TE.Do,
      TE.bind('quote', () => TE.fromTask(quoteOrNull(services, id))),
      TE.bindW('session', () => publicSession(services)(id)),
      TE.bindW('settlement', ({ session: { found } }) => services.settlementOf(found.merchantId, found.environment)),
      TE.bindW('product', ({ session: { found } }) =>
        found.row.details.productId === null
          ? TE.right(O.none)
          : retrieveLater(services.store)(productModel, found.row.details.productId, found),
      ),
      TE.map(({ quote, session: { found }, settlement, product }) =>
        render(services, id, quote, found, settlement, product),
      ),
    )

const render = (
  { networks }: Services,
  id: string,
  quote: QuoteView | null,
  { row, environment }: Found<CheckoutRow>,
  { merchantName }: Settlement,
  product: O.Option<Found<ProductRow>>,
) => {
  const sold = O.toNullable(product)?.row.details ?? null
  const failureReason: string | null = row.failureReason
  return {
    checkoutId: id,
    environment,
    merchantName,
    productName: sold?.name ?? null,
    description: row.details.description ?? sold?.description ?? null,
    images: sold?.images ?? [],
    status: row.status,
    failureReason,
    redirectUrl: row.details.redirectUrl,
    expiresAt: timestamp(row.details.expiresAt),
    isSubscription: row.details.subscription !== undefined,
    needsCustomer: row.details.subscription !== undefined && row.customerId === null,
    quote: row.status === 'open' ? quote : null,
    takesOtherAssets: row.details.subscription === undefined && (networks[environment]?.paths ?? null) !== null,
  }
}
export type PageView = ReturnType<typeof render>

const quoteOrNull = (services: Services, id: string) =>
  pipe(
    quoteView(services)(id),
    T.map((quote) => (E.isRight(quote) ? quote.right : null)),
  )
