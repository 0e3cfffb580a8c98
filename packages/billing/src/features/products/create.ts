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
  type ProductDetails,
  ProductId,
  type ProductRejection,
  type ProductType,
  type RecurringPeriod,
  readPrice,
  type Text,
} from '@quittance/domain'
import { type Found, products as model, type ProductRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { createdId } from '../../kernel/derive.ts'
import { type CommandContext, type ExecuteFailure, execute } from '../../kernel/execute.ts'
import { rowAfter, unlessDone } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'
import {
  type AssetNotAccepted,
  acceptedAsset,
  type MerchantNotReady,
  type Settlement,
} from '../../services/settlements.ts'

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
  readonly allowsMultipleSubscriptions?: boolean
}

export type ProductFailure =
  | ExecuteFailure
  | ProductRejection
  | PriceRejection
  | MetadataRejection
  | AssetNotAccepted
  | MerchantNotReady

type Outcome = Promise<E.Either<ProductFailure, Found<ProductRow>>>

export const createProduct = (
  { store, settlementOf }: Pick<Services, 'store' | 'settlementOf'>,
  context: CommandContext,
  product: NewProduct,
): Outcome => {
  const id = createdId(ProductId, context.at, context.commandId)
  return unlessDone(store, context)(model, id, async (): Outcome => {
    const settlement = await settlementOf(context.merchantId, context.environment)()
    if (E.isLeft(settlement)) return settlement
    const details = detailsOf(product, settlement.right)
    if (E.isLeft(details)) return details
    const decide = Product.decider.decide({ type: 'CreateProduct', details: details.right })
    return E.map(rowAfter(model, id))(await execute(store)(Product, id, context, decide))
  })
}

const detailsOf = (
  { type: productType, currency, price, metadata, assetId, ...rest }: NewProduct,
  settlement: Settlement,
): E.Either<AssetNotAccepted | PriceRejection | MetadataRejection, ProductDetails> => {
  const asset = acceptedAsset(settlement, assetId)
  if (E.isLeft(asset)) return asset
  const cents = readPrice(price, currency)
  if (E.isLeft(cents)) return cents
  const merged = mergeMetadata(noMetadata, metadata ?? {})
  if (E.isLeft(merged)) return merged
  const fields = { productType, assetId: asset.right.assetId, price: { currency, cents: cents.right } }
  return E.right({ ...rest, ...fields, metadata: merged.right })
}
