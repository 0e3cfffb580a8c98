import {
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
import { acceptedAsset } from '../../services/settlements.ts'
import type { ProductFailure } from './create.ts'

/** The fields to change; what is left out stays. `metadata` is laid over the current one, `null` removes a key. */
export type ProductPatch = {
  readonly name?: Text | undefined
  readonly description?: Text | null | undefined
  readonly images?: ReadonlyArray<Text> | undefined
  readonly assetId?: string | undefined
  readonly metadata?: unknown
  readonly price?: PriceInput | undefined
  /** Only the product's own is accepted. */
  readonly currency?: CurrencyCode | undefined
  readonly recurringPeriod?: RecurringPeriod | undefined
  readonly status?: 'active' | 'archived' | undefined
}

type Outcome = Promise<E.Either<ProductFailure, Found<ProductRow>>>
type Decision = E.Either<PriceRejection | ProductRejection, ReadonlyArray<ProductEvent>>

export const updateProduct = (
  { store, settlementOf }: Services,
  context: CommandContext,
  id: string,
  { assetId, price, ...rest }: ProductPatch,
): Outcome =>
  unlessDone(store, context)(model, id, async (): Outcome => {
    const settlement = assetId === undefined ? null : await settlementOf(context.merchantId, context.environment)()
    if (settlement !== null && E.isLeft(settlement)) return settlement
    const asset = settlement === null ? E.right({}) : acceptedAsset(settlement.right, assetId ?? null)
    if (E.isLeft(asset)) return asset
    const updated = await execute(store)(Product, id, context, (product): Decision => {
      const cents = newCents(price, product)
      if (E.isLeft(cents)) return cents
      const changed = { ...rest, ...('assetId' in asset.right && { assetId: asset.right.assetId }), ...cents.right }
      return Product.decider.decide({ type: 'UpdateProduct', ...changed })(product)
    })
    return E.map(rowAfter(model, id))(updated)
  })

/** A price is read in the product's own currency, which never changes. */
const newCents = (price: PriceInput | undefined, product: ProductState): E.Either<PriceRejection, { cents?: Cents }> =>
  price === undefined || product.status === 'absent'
    ? E.right({})
    : E.map((cents: Cents) => ({ cents }))(readPrice(price, product.details.price.currency))
