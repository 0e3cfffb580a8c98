import { Product } from '@quittance/domain'
import { products as model, type PageRequest, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type CommandContext, execute } from '../../kernel/execute.ts'
import { retrieveExisting, rowAfter, type StoreUnavailable } from '../../kernel/load.ts'
import { type ProductResource, productResource } from '../../resources/product.ts'
import { type Listing, listed } from '../../services/listing.ts'
import { createProduct, type NewProduct, type ProductFailure } from './create.ts'
import type { ProductServices } from './services.ts'
import { type ProductPatch, updateProduct } from './update.ts'

export type ProductNotFound = { readonly _tag: 'ProductNotFound' }

export interface Products {
  readonly create: (context: CommandContext, product: NewProduct) => TE.TaskEither<ProductFailure, ProductResource>
  readonly retrieve: (scope: Scope, id: string) => TE.TaskEither<StoreUnavailable | ProductNotFound, ProductResource>
  readonly list: (page: PageRequest) => T.Task<Listing<ProductResource>>
  /** A new price (in the product's currency) or period applies to later sales only. */
  readonly update: (
    context: CommandContext,
    id: string,
    patch: ProductPatch,
  ) => TE.TaskEither<ProductFailure, ProductResource>
  /** Stops the sale; open sessions and past sales are unaffected. */
  readonly archive: (context: CommandContext, id: string) => TE.TaskEither<ProductFailure, ProductResource>
}

export const products = (services: ProductServices): Products => {
  const { store, readModels } = services
  return {
    create: (context, product) => async () => E.map(productResource)(await createProduct(services, context, product)),
    retrieve: (scope, id) => async () =>
      E.map(productResource)(await retrieveExisting(store)(model, id, scope, { _tag: 'ProductNotFound' })),
    list: (page) => () => listed(services, readModels.products, page, productResource),
    update: (context, id, patch) => async () =>
      E.map(productResource)(await updateProduct(services, context, id, patch)),
    archive: (context, id) => async () => {
      const decide = Product.decider.decide({ type: 'ArchiveProduct' })
      const archived = await execute(store)(Product, id, context, decide)
      return E.isLeft(archived) ? archived : E.right(productResource(rowAfter(model, id)(archived.right)))
    },
  }
}
