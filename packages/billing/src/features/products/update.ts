import {
  type Cents,
  type CurrencyCode,
  type PriceInput,
  type PriceRejection,
  Product,
  type ProductState,
  type RecurringPeriod,
  readPrice,
  type Text,
} from '@quittance/domain'
import { type Found, products as model, type ProductRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type CommandContext, executeLater } from '../../kernel/execute.ts'
import { rowAfter, unlessDoneLater } from '../../kernel/load.ts'
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

export const updateProduct =
  ({ store, settlementOf }: Services) =>
  (
    context: CommandContext,
    id: string,
    { assetId, price, ...rest }: ProductPatch,
  ): TE.TaskEither<ProductFailure, Found<ProductRow>> =>
    unlessDoneLater(store, context)(
      model,
      id,
      pipe(
        assetId === undefined
          ? TE.right({})
          : pipe(
              settlementOf(context.merchantId, context.environment),
              TE.chainEitherKW((settlement) => acceptedAsset(settlement, assetId)),
              TE.map((accepted) => ({ assetId: accepted.assetId })),
            ),
        TE.chainW((asset) =>
          executeLater(store)(Product, id, context, (product) =>
            pipe(
              newCents(price, product),
              E.chainW((cents) =>
                Product.decider.decide({ type: 'UpdateProduct', ...rest, ...asset, ...cents })(product),
              ),
            ),
          ),
        ),
        TE.map(rowAfter(model, id)),
      ),
    )

/** A price is read in the product's own currency, which never changes. */
const newCents = (price: PriceInput | undefined, product: ProductState): E.Either<PriceRejection, { cents?: Cents }> =>
  price === undefined || product.status === 'absent'
    ? E.right({})
    : E.map((cents: Cents) => ({ cents }))(readPrice(price, product.details.price.currency))
