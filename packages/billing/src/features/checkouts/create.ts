import {
  type AssetId,
  assetCode,
  Checkout,
  CheckoutId,
  type CheckoutPrice,
  type Count,
  CurrencyCode,
  count,
  feeAt,
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
import { type CheckoutRow, type Found, checkouts as model, type ProductRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { createdId } from '../../kernel/derive.ts'
import { type CommandContext, executeOnCreated } from '../../kernel/execute.ts'
import { rowAfter, unlessDone } from '../../kernel/load.ts'
import { ensureSelling } from '../../services/freezing.ts'
import { payableReference } from '../../services/reference.ts'
import { type AssetNotAccepted, acceptedAsset, type Settlement } from '../../services/settlements.ts'
import { existingProduct } from '../customers/customer-and-product.ts'
import type { Customers } from '../customers/customers.ts'
import { ensureNotSubscribed } from '../customers/living-subscriptions.ts'
import { ensureOwnEmail } from '../customers/own-email.ts'
import { ensureCollecting } from '../mandates/collecting.ts'
import { ensurePayable } from '../settlement-account/payable-account.ts'
import type { CheckoutFailure, CheckoutOptions } from './options.ts'
import type { CheckoutServices } from './services.ts'

/** The product or amount on sale, its price and its asset. */
type Sale = Pick<CheckoutRow['details'], 'kind' | 'productId' | 'priceVersion' | 'price' | 'assetId' | 'subscription'>
type Created = Promise<E.Either<CheckoutFailure, Found<CheckoutRow>>>
type ReadSale = (settlement: Settlement) => Promise<E.Either<CheckoutFailure, Sale>>

/** Opens a session for a sale; a repeated request returns the session that the first one created. */
const open = (
  services: CheckoutServices,
  customers: Customers,
  context: CommandContext,
  options: CheckoutOptions,
  readSale: ReadSale,
): Created => {
  const id = createdId(CheckoutId, context.at, context.commandId)
  return unlessDone(services.store, context)(model, id, async () => {
    const selling = await ensureSelling(services, context.merchantId)
    if (E.isLeft(selling)) return selling
    const settlement = await services.settlementOf(context.merchantId, context.environment)()
    if (E.isLeft(settlement)) return settlement
    const { account: destination, policy, profile, platformFees } = settlement.right
    const platformFee = feeAt(platformFees, context.at)
    const metadata = mergeMetadata(noMetadata, options.metadata ?? {})
    if (E.isLeft(metadata)) return metadata
    const sale = await readSale(settlement.right)
    if (E.isLeft(sale)) return sale
    const { assetId, price, subscription } = sale.right
    if (subscription !== undefined) {
      const collecting = await ensureCollecting(services, context.environment, assetId)
      if (E.isLeft(collecting)) return collecting
    }
    const due = { settlement: settlement.right, account: destination, assetId, amount: leastOf(price) }
    const payable = await ensurePayable(services, context, due)
    if (E.isLeft(payable)) return payable
    // Resolved before the session is created, so that the session names an existing customer.
    const customerId = await customers.resolve(context, options.customer)()
    if (E.isLeft(customerId)) return customerId
    const { id: named, email } = options.customer
    const isCustomerNamed = named !== null
    const own =
      named === null || email === null ? E.right(undefined) : await ensureOwnEmail(services, context, named, email)
    if (E.isLeft(own)) return own
    if (subscription !== undefined && isCustomerNamed && customerId.right !== null && sale.right.productId !== null) {
      const wanted = { productId: sale.right.productId, customerId: customerId.right, checkoutId: null, wallet: null }
      const free = await ensureNotSubscribed(services, context, wanted, context.at)
      if (E.isLeft(free)) return free
    }
    const { redirectUrl, description } = options
    const decide = Checkout.decider.decide({
      type: 'CreateCheckout',
      at: context.at,
      ...sale.right,
      customerId: customerId.right,
      destination,
      redirectUrl,
      description,
      metadata: metadata.right,
      underpaymentTolerance: policy.underpaymentTolerance,
      reference: await payableReference(services, context.environment, id),
      ...(isCustomerNamed ? { isCustomerNamed: true as const } : {}),
      ...(profile.terms === null ? {} : { terms: profile.terms }),
      ...(platformFee === null ? {} : { platformFee }),
    })
    return E.map(rowAfter(model, id))(await executeOnCreated(services.store)(Checkout, id, context, decide))
  })
}

/** The least amount that has to arrive: only a quote knows the amount for a price in a currency. */
const leastOf = (price: CheckoutPrice): Stroops => (price._tag === 'asset' ? price.stroops : stroops(1n))

export const createForProduct = (
  services: CheckoutServices,
  customers: Customers,
  context: CommandContext,
  productId: string,
  options: CheckoutOptions,
): Created =>
  open(services, customers, context, options, async (settlement) => {
    const product = await existingProduct(services, context, productId)
    return E.isLeft(product) ? product : productSale(settlement, product.right, options.trialDays ?? null)
  })

const productSale = (
  settlement: Settlement,
  { id, row: { details, status, priceVersion } }: Found<ProductRow>,
  trialDays: Count | null,
): E.Either<CheckoutFailure, Sale> => {
  if (status === 'archived') return E.left({ _tag: 'ProductArchived' })
  const problem = problemWithTrial(details.productType, trialDays)
  if (problem !== null) return E.left(problem)
  const accepted = acceptedAsset(settlement, details.assetId)
  if (E.isLeft(accepted)) return accepted
  const subscription = planOf(details, trialDays)
  return E.right({
    kind: 'product',
    productId: decodeOrThrow(ProductId, id),
    priceVersion,
    price: { _tag: 'fiat', ...details.price },
    assetId: details.assetId,
    ...(subscription === null ? {} : { subscription }),
  })
}

/** The plan of a subscription; null for any other product. A requested trial replaces the product's own. */
const planOf = ({ recurringPeriod, trialDays }: ProductDetails, asked: Count | null): SubscriptionPlan | null =>
  recurringPeriod === null
    ? null
    : { interval: recurringPeriod, intervalCount: positiveCount(1), trialDays: asked ?? trialDays ?? count(0) }

/**
 * A currency code prices the sale in that currency and settles it in the default asset; an asset's code does both in
 * that asset.
 */
export const createDirect = (
  services: CheckoutServices,
  customers: Customers,
  context: CommandContext,
  price: PriceInput,
  code: string,
  options: CheckoutOptions,
): Created => open(services, customers, context, options, async (settlement) => directSale(settlement, price, code))

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
    const cents = readPrice(price, currency.right)
    if (E.isLeft(cents)) return cents
    return E.right(sale({ _tag: 'fiat', currency: currency.right, cents: cents.right }, settlement.defaultAsset))
  }
  const asset = settlement.accepted.find(({ assetId }) => assetId === code || assetCode(assetId) === code.toUpperCase())
  if (asset === undefined) return E.left({ _tag: 'AssetNotAccepted', assetId: code, meant: null })
  const stroops = readAssetPrice(price)
  return E.isLeft(stroops) ? stroops : E.right(sale({ _tag: 'asset', stroops: stroops.right }, asset.assetId))
}
