import { Product } from '@quittance/domain'
import { products as model, type PageRequest, type Scope } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type CommandContext, executeLater } from '../../kernel/execute.ts'
import { orNotFound, retrieveLater, rowAfter, type StoreUnavailable } from '../../kernel/load.ts'
import { type ProductResource, productResource } from '../../resources/product.ts'
import { type Listing, listed } from '../../services/listing.ts'
import type { Services } from '../../services/services.ts'
import { createProduct, type NewProduct, type ProductFailure } from './create.ts'
import { type ProductPatch, updateProduct } from './update.ts'

export type ProductNotFound = { readonly _tag: 'ProductNotFound' }

export interface Products {
  readonly create: (context: CommandContext, product: NewProduct) => TE.TaskEither<ProductFailure, ProductResource>
  readonly retrieve: (scope: Scope, id: string) => TE.TaskEither<StoreUnavailable | ProductNotFound, ProductResource>
  readonly list: (page: PageRequest) => T.Task<Listing<ProductResource>>
  /** A new price, in the product's currency, or a new period is for what is sold from now on. */
  readonly update: (
    context: CommandContext,
    id: string,
    patch: ProductPatch,
  ) => TE.TaskEither<ProductFailure, ProductResource>
  /** Ends the sale; sessions that are open go on. Nothing that was sold vanishes. */
  readonly archive: (context: CommandContext, id: string) => TE.TaskEither<ProductFailure, ProductResource>
}

/** What a merchant sells. */
export const products = (services: Services): Products => {
  const { store, readModels } = services
  return {
    create: (context, product) => TE.map(productResource)(createProduct(services)(context, product)),
    retrieve: (scope, id) =>
      pipe(
        retrieveLater(store)(model, id, scope),
        TE.chainEitherKW(orNotFound<ProductNotFound>({ _tag: 'ProductNotFound' })),
        TE.map(productResource),
      ),
    list: (page) => () => listed(services, readModels.products, page, productResource),
    update: (context, id, patch) => TE.map(productResource)(updateProduct(services)(context, id, patch)),
    archive: (context, id) =>
      pipe(
        executeLater(store)(Product, id, context, Product.decider.decide({ type: 'ArchiveProduct' })),
        TE.map(rowAfter(model, id)),
        TE.map(productResource),
      ),
  }
}
