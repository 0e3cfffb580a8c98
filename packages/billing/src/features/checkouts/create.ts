import {
  type AssetId,
  assetCode,
  Checkout,
  CheckoutId,
  type CheckoutPrice,
  CurrencyCode,
  count,
  mergeMetadata,
  noMetadata,
  type PriceInput,
  type PriceRejection,
  type ProductDetails,
  ProductId,
  positiveCount,
  problemWithTrial,
  readAssetPrice,
  readPrice,
  type Stroops,
  type SubscriptionPlan,
  stroops,
} from '@quittance/domain'
import { type CheckoutRow, type Found, checkouts as model } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { createdId } from '../../kernel/derive.ts'
import { type CommandContext, executeLater } from '../../kernel/execute.ts'
import { rowAfter, unlessDoneLater } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'
import { type AssetNotAccepted, acceptedAsset, type Settlement } from '../../services/settlements.ts'
import { existingProduct } from '../customers/customer-and-product.ts'
import type { Customers } from '../customers/customers.ts'
import { ensureCollecting } from '../mandates/collecting.ts'
import { ensurePayable } from '../settlement-account/payable-account.ts'
import type { CheckoutFailure, CheckoutOptions } from './options.ts'

/** What is sold, at which price, in which asset. */
type Sale = Pick<CheckoutRow['details'], 'kind' | 'productId' | 'priceVersion' | 'price' | 'assetId' | 'subscription'>
type Created = TE.TaskEither<CheckoutFailure, Found<CheckoutRow>>

/** Opens a session for a sale: the customer first, so that the session names one who exists. */
const open =
  (services: Services, customers: Customers) =>
  (
    context: CommandContext,
    options: CheckoutOptions,
    sale: (settlement: Settlement) => TE.TaskEither<CheckoutFailure, Sale>,
  ): Created => {
    const { store, settlementOf } = services
    const id = createdId(CheckoutId, context.at, context.commandId)
    return unlessDoneLater(store, context)(
      model,
      id,
      pipe(
        settlementOf(context.merchantId, context.environment),
        TE.bindTo('settlement'),
        TE.bindW('metadata', () => TE.fromEither(mergeMetadata(noMetadata, options.metadata ?? {}))),
        TE.bindW('sale', ({ settlement }) => sale(settlement)),
        TE.chainFirstW(({ sale: { subscription, assetId } }) =>
          subscription === undefined ? TE.right(undefined) : ensureCollecting(services)(context.environment, assetId),
        ),
        TE.chainFirstW(({ settlement, sale: { assetId, price } }) =>
          ensurePayable(services)(context, {
            settlement,
            account: settlement.account,
            assetId,
            amount: leastOf(price),
          }),
        ),
        TE.bindW('customerId', () => customers.resolve(context, options.customer)),
        TE.chainW(({ settlement, sale, metadata, customerId }) =>
          executeLater(store)(
            Checkout,
            id,
            context,
            Checkout.decider.decide({
              type: 'CreateCheckout',
              at: context.at,
              ...sale,
              customerId,
              destination: settlement.account,
              redirectUrl: options.redirectUrl,
              description: options.description,
              metadata,
              underpaymentTolerance: settlement.policy.underpaymentTolerance,
            }),
          ),
        ),
        TE.map(rowAfter(model, id)),
      ),
    )
  }

/** What has to arrive at least: how much of the asset a price in a currency takes is only known by a quote. */
const leastOf = (price: CheckoutPrice): Stroops => (price._tag === 'asset' ? price.stroops : stroops(1n))

export const createForProduct =
  (services: Services, customers: Customers) =>
  (context: CommandContext, productId: string, options: CheckoutOptions): Created =>
    open(services, customers)(context, options, (settlement) =>
      pipe(
        existingProduct(services)(context, productId),
        TE.chainEitherKW(({ row: { details, status, priceVersion } }): E.Either<CheckoutFailure, Sale> => {
          if (status === 'archived') return E.left({ _tag: 'ProductArchived' })
          const { productType } = details
          const problem = problemWithTrial(productType, options.trialDays ?? null)
          if (problem !== null) return E.left(problem)
          const subscription = planOf(details, options.trialDays ?? null)
          return E.map(
            (): Sale => ({
              kind: 'product',
              productId: decodeOrThrow(ProductId, productId),
              priceVersion,
              price: { _tag: 'fiat', ...details.price },
              assetId: details.assetId,
              ...(subscription === null ? {} : { subscription }),
            }),
          )(acceptedAsset(settlement, details.assetId))
        }),
      ),
    )

/** How a subscription is paid for; null of any other product. The days of trial asked for go before the product's own. */
const planOf = (
  { recurringPeriod, trialDays }: ProductDetails,
  asked: CheckoutOptions['trialDays'],
): SubscriptionPlan | null =>
  recurringPeriod === null
    ? null
    : { interval: recurringPeriod, intervalCount: positiveCount(1), trialDays: asked ?? trialDays ?? count(0) }

/** A code that names a currency is priced in it and settles in the default asset; an asset's, in the asset itself. */
export const createDirect =
  (services: Services, customers: Customers) =>
  (context: CommandContext, price: PriceInput, code: string, options: CheckoutOptions): Created =>
    open(services, customers)(context, options, (settlement) => TE.fromEither(directSale(settlement, price, code)))

const directSale = (
  settlement: Settlement,
  price: PriceInput,
  code: string,
): E.Either<PriceRejection | AssetNotAccepted, Sale> => {
  const sale = (priced: CheckoutPrice, assetId: AssetId): Sale => ({
    kind: 'direct',
    productId: null,
    priceVersion: null,
    price: priced,
    assetId,
  })
  const currency = CurrencyCode.decode(code)
  if (E.isRight(currency)) {
    return pipe(
      readPrice(price, currency.right),
      E.map((cents) => sale({ _tag: 'fiat', currency: currency.right, cents }, settlement.defaultAsset)),
    )
  }
  return pipe(
    settlement.accepted.find(({ assetId }) => assetId === code || assetCode(assetId) === code.toUpperCase()),
    E.fromNullable<AssetNotAccepted>({ _tag: 'AssetNotAccepted', assetId: code }),
    E.bindTo('asset'),
    E.bindW('stroops', () => readAssetPrice(price)),
    E.map(({ asset, stroops }) => sale({ _tag: 'asset', stroops }, asset.assetId)),
  )
}
