import { type Found, type ProductRow, products as productModel, type Scope } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { isIn, keptRows, orNotFound, type StoreUnavailable } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'
import type { ProductNotFound } from '../products/products.ts'
import { type CustomerNotFound, livingCustomer } from './living.ts'

export type NoSuchPair = StoreUnavailable | CustomerNotFound | ProductNotFound

/** The product, where it and the customer are the merchant's; of a deleted customer nothing is told any more. */
export const customerAndProduct =
  (services: Services) =>
  (scope: Scope, customerId: string, productId: string): TE.TaskEither<NoSuchPair, Found<ProductRow>> =>
    pipe(
      livingCustomer(services)(scope, customerId),
      TE.chainW(() => existingProduct(services)(scope, productId)),
    )

const rowOf = keptRows(productModel)

export const existingProduct =
  ({ store }: Services) =>
  (scope: Scope, productId: string): TE.TaskEither<StoreUnavailable | ProductNotFound, Found<ProductRow>> =>
    pipe(
      store.readStream(`${productModel.category}-${productId}`),
      TE.map(({ events }) => O.filter((found: Found<ProductRow>) => isIn(scope, found))(rowOf(productId, events))),
      TE.chainEitherKW(orNotFound<ProductNotFound>({ _tag: 'ProductNotFound' })),
    )
