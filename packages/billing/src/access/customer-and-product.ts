import { type Found, type ProductRow, products as productModel, type Scope } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type CustomerNotFound, livingCustomer } from '../customers/living.ts'
import { orNotFound, retrieve, type StoreUnavailable } from '../load.ts'
import type { ProductNotFound } from '../products/products.ts'
import type { Services } from '../services.ts'

export type NoSuchPair = StoreUnavailable | CustomerNotFound | ProductNotFound

/** The product, where it and the customer are the merchant's; of a deleted customer nothing is told any more. */
export const customerAndProduct =
  (services: Services) =>
  (scope: Scope, customerId: string, productId: string): TE.TaskEither<NoSuchPair, Found<ProductRow>> =>
    pipe(
      livingCustomer(services)(scope, customerId),
      TE.chainW(() => existingProduct(services)(scope, productId)),
    )

export const existingProduct =
  ({ store }: Services) =>
  (scope: Scope, productId: string): TE.TaskEither<StoreUnavailable | ProductNotFound, Found<ProductRow>> =>
    pipe(
      retrieve(store)(productModel, productId, scope),
      TE.chainEitherKW(orNotFound<ProductNotFound>({ _tag: 'ProductNotFound' })),
    )
