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
import { decodeOrThrow } from '../../kernel/decode.ts'
import { createdId } from '../../kernel/derive.ts'
import type { CommandContext } from '../../kernel/execute.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { payableReference } from '../../services/reference.ts'
import type { Services } from '../../services/services.ts'
import { existingProduct } from '../customers/customer-and-product.ts'
import { type AlreadySubscribed, ensureNotSubscribed } from '../customers/living-subscriptions.ts'
import type { ProductNotFound } from '../products/products.ts'
import { type PriceFailure, priceAt } from './price.ts'

export type SwapFailure =
  | StoreUnavailable
  | ProductNotFound
  | AlreadySubscribed
  | PriceFailure
  | { readonly _tag: 'ProductArchived' }
  /** Only a recurring product can be subscribed to. */
  | { readonly _tag: 'NotASubscriptionProduct' }

/**
 * The command that swaps the subscription to another product at that product's current price. Its own product, at the price
 * that it has, takes back a swap that waits.
 */
export const swapTo = async (
  services: Pick<Services, 'store' | 'readModels' | 'caughtUp' | 'vault' | 'settlementOf' | 'networks'>,
  context: CommandContext,
  { details, authorization, terms: present }: SubscriptionRecord,
  productId: string,
): Promise<E.Either<SwapFailure, SubscriptionCommand>> => {
  const product = await existingProduct(services, context, productId)
  if (E.isLeft(product)) return product
  // Only a price change moves the price of the product that is subscribed to.
  const isOwn = product.right.id === present.productId
  const terms = isOwn ? E.right(present) : termsOf(product.right)
  if (E.isLeft(terms)) return terms
  const wanted = {
    productId: terms.right.productId,
    customerId: details.customerId,
    checkoutId: details.checkoutId,
    wallet: authorization.mandate.customer,
  }
  const free = await ensureNotSubscribed(services, context, wanted, context.at)
  if (E.isLeft(free)) return free
  const quote = await priceAt(services, context, terms.right.price, details, context.at)
  if (E.isLeft(quote)) return quote
  const authorizationId = createdId(AuthorizationId, context.at, context.commandId)
  return E.right({
    type: 'SwapProduct',
    terms: terms.right,
    assetId: isOwn ? details.assetId : product.right.row.details.assetId,
    quote: quote.right.amount,
    authorizationId,
    reference: await payableReference(services, context.environment, authorizationId),
    at: context.at,
  })
}

const termsOf = ({ id, row }: Found<ProductRow>): E.Either<SwapFailure, SubscriptionTerms> => {
  const { recurringPeriod: interval, price } = row.details
  if (interval === null) return E.left({ _tag: 'NotASubscriptionProduct' })
  if (row.status === 'archived') return E.left({ _tag: 'ProductArchived' })
  const productId = decodeOrThrow(ProductId, id)
  return E.right({ productId, priceVersion: row.priceVersion, price, interval, intervalCount: positiveCount(1) })
}
