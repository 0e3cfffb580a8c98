import {
  type CurrencyCode,
  PriceChange,
  type PriceChangeDetails,
  PriceChangeId,
  type PriceChangeRejection,
  type PriceInput,
  type PriceRejection,
  ProductId,
  type RecurringPeriod,
  readPrice,
  stroops,
  type UnixMs,
  type WithoutConsent,
} from '@quittance/domain'
import { type Found, priceChanges as model, type PriceChangeRow, type ProductRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { createdId } from '../../kernel/derive.ts'
import { type CommandContext, type ExecuteFailure, execute } from '../../kernel/execute.ts'
import { rowAfter, unlessDone } from '../../kernel/load.ts'
import { ensureSelling } from '../../services/freezing.ts'
import { acceptedAsset } from '../../services/settlements.ts'
import type { CheckoutFailure } from '../checkouts/options.ts'
import { existingProduct } from '../customers/customer-and-product.ts'
import { ensureCollecting } from '../mandates/collecting.ts'
import { ensurePayable } from '../settlement-account/payable-account.ts'
import type { SwapFailure } from '../subscriptions/swap.ts'
import type { PriceChangeServices } from './services.ts'

/** What is null stays as the product has it now. `recurringPeriod`: of the subscriptions that it concerns. */
export type NewPriceChange = {
  readonly productId: string
  readonly price: PriceInput | null
  readonly currency: CurrencyCode | null
  readonly assetId: string | null
  readonly recurringPeriod: RecurringPeriod | null
  readonly effectiveAt: UnixMs
  readonly withoutConsent: WithoutConsent
}

export type PriceChangeFailure =
  | ExecuteFailure
  | PriceChangeRejection
  | PriceRejection
  | Exclude<CheckoutFailure, { readonly _tag: 'ProductArchived' }>
  | Extract<SwapFailure, { readonly _tag: 'NotASubscriptionProduct' }>

type Scheduled = Promise<E.Either<PriceChangeFailure, Found<PriceChangeRow>>>

/** The merchant must be able to collect the new price: the account accepts its asset, which mandates can move. */
export const schedulePriceChange = (
  services: PriceChangeServices,
  context: CommandContext,
  wanted: NewPriceChange,
): Scheduled => {
  const id = createdId(PriceChangeId, context.at, context.commandId)
  return unlessDone(services.store, context)(model, id, async (): Scheduled => {
    const selling = await ensureSelling(services, context.merchantId)
    if (E.isLeft(selling)) return selling
    const product = await existingProduct(services, context, wanted.productId)
    if (E.isLeft(product)) return product
    const settlement = await services.settlementOf(context.merchantId, context.environment)()
    if (E.isLeft(settlement)) return settlement
    const asset = acceptedAsset(settlement.right, wanted.assetId ?? product.right.row.details.assetId)
    if (E.isLeft(asset)) return asset
    const { assetId } = asset.right
    const details = detailsOf(wanted, product.right, assetId, context.at)
    if (E.isLeft(details)) return details
    const collecting = await ensureCollecting(services, context.environment, assetId)
    if (E.isLeft(collecting)) return collecting
    const { account } = settlement.right
    const due = { settlement: settlement.right, account, assetId, amount: stroops(1n) }
    const payable = await ensurePayable(services, context, due)
    if (E.isLeft(payable)) return payable
    const decide = PriceChange.decider.decide({ type: 'SchedulePriceChange', details: details.right })
    return E.map(rowAfter(model, id))(await execute(services.store)(PriceChange, id, context, decide))
  })
}

const detailsOf = (
  { price, currency: wantedCurrency, recurringPeriod, effectiveAt, withoutConsent }: NewPriceChange,
  { id, row: { details } }: Found<ProductRow>,
  assetId: PriceChangeDetails['assetId'],
  scheduledAt: UnixMs,
): E.Either<PriceChangeFailure, PriceChangeDetails> => {
  const interval = recurringPeriod ?? details.recurringPeriod
  if (details.recurringPeriod === null || interval === null) return E.left({ _tag: 'NotASubscriptionProduct' })
  const currency = wantedCurrency ?? details.price.currency
  // An amount means something in its own currency only.
  const isProducts = price === null && currency === details.price.currency
  const cents = isProducts
    ? E.right(details.price.cents)
    : readPrice(price ?? { amount: null, amountCents: null }, currency)
  if (E.isLeft(cents)) return cents
  const productId = decodeOrThrow(ProductId, id)
  const shared = { interval, assetId, effectiveAt, withoutConsent, scheduledAt }
  return E.right({ productId, price: { currency, cents: cents.right }, ...shared })
}
