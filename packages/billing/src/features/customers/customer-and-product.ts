import type { EventStore } from '@quittance/event-store'
import { type Found, type ProductRow, products, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { isIn, keptRows, type StoreUnavailable } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'
import type { ProductNotFound } from '../products/products.ts'
import { type CustomerNotFound, livingCustomer } from './living.ts'

export type NoSuchPair = StoreUnavailable | CustomerNotFound | ProductNotFound

/** The product, if it and the customer belong to the merchant and the customer is not deleted. */
export const customerAndProduct = async (
  services: Pick<Services, 'store'>,
  scope: Scope,
  customerId: string,
  productId: string,
): Promise<E.Either<NoSuchPair, Found<ProductRow>>> => {
  const customer = await livingCustomer(services, scope, customerId)
  return E.isLeft(customer) ? customer : existingProduct(services, scope, productId)
}

const rowOf = keptRows(products)

export const existingProduct = async (
  { store }: { readonly store: Pick<EventStore, 'readStream'> },
  scope: Scope,
  productId: string,
): Promise<E.Either<StoreUnavailable | ProductNotFound, Found<ProductRow>>> => {
  const slice = await store.readStream(`${products.category}-${productId}`)()
  if (E.isLeft(slice)) return slice
  const found = rowOf(productId, slice.right.events)
  return O.isSome(found) && isIn(scope, found.value) ? E.right(found.value) : E.left({ _tag: 'ProductNotFound' })
}
