import {
  AuthorizationId,
  ProductId,
  positiveCount,
  type SubscriptionCommand,
  type SubscriptionRecord,
  type SubscriptionTerms,
} from '@quittance/domain'
import type { Found, ProductRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { createdId } from '../../kernel/derive.ts'
import type { CommandContext } from '../../kernel/execute.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'
import { existingProduct } from '../customers/customer-and-product.ts'
import type { ProductNotFound } from '../products/products.ts'
import { type PriceFailure, priceAt } from './price.ts'

export type SwapFailure =
  | StoreUnavailable
  | ProductNotFound
  | PriceFailure
  | { readonly _tag: 'ProductArchived' }
  /** Only a product that recurs can be subscribed to. */
  | { readonly _tag: 'NotASubscriptionProduct' }

/** The command that puts another product in the place of the one subscribed to, at its price now. */
export const swapTo =
  (services: Services) =>
  (
    context: CommandContext,
    subscription: SubscriptionRecord,
    productId: string,
  ): TE.TaskEither<SwapFailure, SubscriptionCommand> =>
    pipe(
      () => existingProduct(services, context, productId),
      TE.bindTo('product'),
      TE.bindW('terms', ({ product }) => TE.fromEither(termsOf(product))),
      TE.bindW('quote', ({ terms }) => priceAt(services)(context, terms.price, subscription.details, context.at)),
      TE.map(({ product, terms, quote }) => ({
        type: 'SwapProduct' as const,
        terms,
        assetId: product.row.details.assetId,
        quote: quote.amount,
        authorizationId: createdId(AuthorizationId, context.at, context.commandId),
        at: context.at,
      })),
    )

const termsOf = ({ id, row }: Found<ProductRow>): E.Either<SwapFailure, SubscriptionTerms> => {
  const { recurringPeriod: interval, price } = row.details
  if (interval === null) return E.left({ _tag: 'NotASubscriptionProduct' })
  if (row.status === 'archived') return E.left({ _tag: 'ProductArchived' })
  const productId = decodeOrThrow(ProductId, id)
  return E.right({ productId, priceVersion: row.priceVersion, price, interval, intervalCount: positiveCount(1) })
}
