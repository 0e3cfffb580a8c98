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
import { type Found, products as model, type ProductRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createdId } from '../../kernel/derive.ts'
import { type CommandContext, type ExecuteFailure, executeLater } from '../../kernel/execute.ts'
import { rowAfter, unlessDoneLater } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'
import { type AssetNotAccepted, acceptedAsset, type MerchantNotReady } from '../../services/settlements.ts'

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

export const createProduct =
  ({ store, settlementOf }: Services) =>
  (context: CommandContext, product: NewProduct): TE.TaskEither<ProductFailure, Found<ProductRow>> => {
    const id = createdId(ProductId, context.at, context.commandId)
    return unlessDoneLater(store, context)(
      model,
      id,
      pipe(
        settlementOf(context.merchantId, context.environment),
        TE.chainEitherKW((settlement) => details(product, acceptedAsset(settlement, product.assetId))),
        TE.chainW((accepted) =>
          executeLater(store)(
            Product,
            id,
            context,
            Product.decider.decide({ type: 'CreateProduct', details: accepted }),
          ),
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
