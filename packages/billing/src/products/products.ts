import {
  type Count,
  type CurrencyCode,
  type MetadataRejection,
  mergeMetadata,
  noMetadata,
  type PositiveCount,
  type PriceInput,
  type PriceRejection,
  Product,
  ProductId,
  type ProductRejection,
  type ProductType,
  type RecurringPeriod,
  readPrice,
  type Text,
} from '@quittance/domain'
import { type Found, products as model, type PageRequest, type ProductRow, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type AssetNotAccepted, acceptedAsset, type MerchantNotReady } from '../assets.ts'
import { type CommandContext, type ExecuteFailure, execute } from '../execute.ts'
import { createdId } from '../identity/derive.ts'
import { type Listing, listed } from '../listing.ts'
import { orNotFound, retrieve, rowAfter, type StoreUnavailable, unlessDone } from '../load.ts'
import { type ProductResource, productResource } from '../resources/product.ts'
import type { Services } from '../services.ts'

export type NewProduct = {
  readonly name: Text
  readonly description: Text | null
  readonly images: ReadonlyArray<Text>
  readonly type: ProductType
  readonly currency: CurrencyCode
  readonly price: PriceInput
  readonly assetId: string | null
  readonly recurringPeriod: RecurringPeriod | null
  readonly trialDays: Count | null
  readonly unit: Text | null
  readonly unitsPerCredit: PositiveCount
  readonly totalCredits: Count
  readonly metadata: unknown
}

export type ProductFailure =
  | ExecuteFailure
  | ProductRejection
  | PriceRejection
  | MetadataRejection
  | AssetNotAccepted
  | MerchantNotReady

export type ProductNotFound = { readonly _tag: 'ProductNotFound' }

export interface Products {
  readonly create: (context: CommandContext, product: NewProduct) => TE.TaskEither<ProductFailure, ProductResource>
  readonly retrieve: (scope: Scope, id: string) => TE.TaskEither<StoreUnavailable | ProductNotFound, ProductResource>
  readonly list: (page: PageRequest) => T.Task<Listing<ProductResource>>
}

/** What a merchant sells. */
export const products = (services: Services): Products => {
  const { store, readModels } = services
  return {
    create: (context, product) => TE.map(productResource)(create(services)(context, product)),
    retrieve: (scope, id) =>
      pipe(
        retrieve(store)(model, id, scope),
        TE.chainEitherKW(orNotFound<ProductNotFound>({ _tag: 'ProductNotFound' })),
        TE.map(productResource),
      ),
    list: (page) => listed(services)(readModels.products, page, productResource),
  }
}

const create =
  ({ store, settlementOf }: Services) =>
  (context: CommandContext, product: NewProduct): TE.TaskEither<ProductFailure, Found<ProductRow>> => {
    const id = createdId(ProductId, context.at, context.commandId)
    return unlessDone(store, context)(
      model,
      id,
      pipe(
        settlementOf(context.merchantId, context.environment),
        TE.chainEitherKW((settlement) => details(product, acceptedAsset(settlement, product.assetId))),
        TE.chainW((accepted) =>
          execute(store)(Product, id, context, Product.decider.decide({ type: 'CreateProduct', details: accepted })),
        ),
        TE.map(rowAfter(model, id)),
      ),
    )
  }

const details = (
  { type, currency, price, metadata, assetId: _, ...rest }: NewProduct,
  asset: ReturnType<typeof acceptedAsset>,
) =>
  pipe(
    asset,
    E.bindTo('asset'),
    E.bindW('cents', () => readPrice(price, currency)),
    E.bindW('metadata', () => mergeMetadata(noMetadata, metadata ?? {})),
    E.map(({ asset, cents, metadata }) => ({
      ...rest,
      productType: type,
      assetId: asset.assetId,
      price: { currency, cents },
      metadata,
    })),
  )
