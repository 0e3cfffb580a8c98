import type { AssetId } from '../shared/asset.ts'
import type { Cents } from '../shared/cents.ts'
import type { CurrencyCode } from '../shared/currency.ts'
import type { Text } from '../shared/text.ts'
import type { ProductDetails, RecurringPeriod } from './events.ts'

export type CreateProduct = { readonly type: 'CreateProduct'; readonly details: ProductDetails }

/**
 * Changes the given fields and leaves the others. `metadata` is a patch: laid over the current one, `null` removes a key.
 * A new price or period makes a new price version.
 */
export type UpdateProduct = {
  readonly type: 'UpdateProduct'
  readonly name?: Text | undefined
  readonly description?: Text | null | undefined
  readonly images?: ReadonlyArray<Text> | undefined
  readonly assetId?: AssetId | undefined
  readonly metadata?: unknown
  readonly cents?: Cents | undefined
  /** What the new price is taken to be in: never another than the product's own. */
  readonly currency?: CurrencyCode | undefined
  readonly recurringPeriod?: RecurringPeriod | undefined
  readonly status?: 'active' | 'archived' | undefined
  readonly allowsMultipleSubscriptions?: boolean | undefined
}

type ArchiveProduct = { readonly type: 'ArchiveProduct' }

type RestoreProduct = { readonly type: 'RestoreProduct' }

export type ProductCommand = CreateProduct | UpdateProduct | ArchiveProduct | RestoreProduct
