import {
  type AcceptedAsset,
  type Cents,
  type CurrencyCode,
  type PriceInput,
  type PriceRejection,
  Product,
  type ProductEvent,
  type ProductRejection,
  type ProductState,
  type RecurringPeriod,
  readPrice,
  type Text,
} from '@quittance/domain'
import { type Found, products as model, type ProductRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { type CommandContext, execute } from '../../kernel/execute.ts'
import { rowAfter, unlessDone } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'
import { acceptedAsset, type Settlements } from '../../services/settlements.ts'
import type { ProductFailure } from './create.ts'

/**
 * The fields to change; undefined leaves a field. `metadata` is merged into the current one, and `null` removes a key.
 */
export type ProductPatch = {
  readonly name?: Text | undefined
  readonly description?: Text | null | undefined
  readonly images?: ReadonlyArray<Text> | undefined
  readonly assetId?: string | undefined
  readonly metadata?: unknown
  readonly price?: PriceInput | undefined
  /** Must be the product's own currency. */
  readonly currency?: CurrencyCode | undefined
  readonly recurringPeriod?: RecurringPeriod | undefined
  readonly status?: 'active' | 'archived' | undefined
  readonly allowsMultipleSubscriptions?: boolean | undefined
}

type Outcome = Promise<E.Either<ProductFailure, Found<ProductRow>>>
type Decision = E.Either<PriceRejection | ProductRejection, ReadonlyArray<ProductEvent>>

export const updateProduct = (
  { store, settlementOf }: Pick<Services, 'store' | 'settlementOf'>,
  context: CommandContext,
  id: string,
  { assetId, price, ...rest }: ProductPatch,
): Outcome =>
  unlessDone(store, context)(model, id, async (): Outcome => {
    const asset = await newAsset(settlementOf, context, assetId)
    if (E.isLeft(asset)) return asset
    const updated = await execute(store)(Product, id, context, (product): Decision => {
      const cents = newCents(price, product)
      if (E.isLeft(cents)) return cents
      const changed = { ...rest, ...(asset.right !== null && { assetId: asset.right.assetId }), ...cents.right }
      return Product.decider.decide({ type: 'UpdateProduct', ...changed })(product)
    })
    return E.map(rowAfter(model, id))(updated)
  })

const newAsset = async (
  settlementOf: Settlements,
  { merchantId, environment }: CommandContext,
  assetId: string | undefined,
): Promise<E.Either<ProductFailure, AcceptedAsset | null>> => {
  if (assetId === undefined) return E.right(null)
  const settlement = await settlementOf(merchantId, environment)()
  return E.isLeft(settlement) ? settlement : acceptedAsset(settlement.right, assetId)
}

/** A price is read in the product's own currency, which never changes. */
const newCents = (price: PriceInput | undefined, product: ProductState): E.Either<PriceRejection, { cents?: Cents }> =>
  price === undefined || product.status === 'absent'
    ? E.right({})
    : E.map((cents: Cents) => ({ cents }))(readPrice(price, product.details.price.currency))
