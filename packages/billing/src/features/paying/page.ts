import { settlementOf, shownStatus } from '@quittance/domain'
import { type CheckoutRow, type Found, type ProductRow, products as productModel } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { retrieve } from '../../kernel/load.ts'
import { timestamp } from '../../resources/fields.ts'
import { sellerResource } from '../../resources/seller.ts'
import { isFrozenNow } from '../../services/freezing.ts'
import type { Services } from '../../services/services.ts'
import type { MerchantNotReady, Settlement } from '../../services/settlements.ts'
import type { CheckoutNotFound } from '../checkouts/options.ts'
import { type QuoteView, quoteView } from './quote.ts'
import type { PayerServices } from './services.ts'
import { publicSession } from './session.ts'

/** The hosted page. Without a rate, or while sales are frozen, there is no quote: the page says so and asks again. */
export const pageView = async (
  services: PayerServices,
  id: string,
): Promise<E.Either<ExecuteFailure | CheckoutNotFound | MerchantNotReady, PageView>> => {
  const quote = await quoteView(services, id)
  const session = await publicSession(services, id)
  if (E.isLeft(session)) return session
  const { found } = session.right
  const settlement = await services.settlementOf(found.merchantId, found.environment)()
  if (E.isLeft(settlement)) return settlement
  const { productId } = found.row.details
  const product = productId === null ? E.right(O.none) : await retrieve(services.store)(productModel, productId, found)
  if (E.isLeft(product)) return product
  const frozen = await isFrozenNow(services, 'sales', found.merchantId)
  if (E.isLeft(frozen)) return frozen
  const view = render(services, id, E.isRight(quote) ? quote.right : null, found, settlement.right, product.right)
  const isRefused = E.isLeft(quote) && quote.left._tag === 'SalesFrozen'
  return E.right({ ...view, isPaused: frozen.right || isRefused })
}

const render = (
  { networks }: Pick<Services, 'networks'>,
  id: string,
  quote: QuoteView | null,
  { row, environment }: Found<CheckoutRow>,
  { merchantName, profile, logo }: Settlement,
  product: O.Option<Found<ProductRow>>,
) => {
  const sold = O.toNullable(product)?.row.details ?? null
  const status = shownStatus(row)
  const failureReason: string | null = row.status === 'failed' ? row.reason : null
  return {
    checkoutId: id,
    environment,
    merchantName,
    seller: sellerResource(profile, logo),
    terms: row.details.terms ?? null,
    productName: sold?.name ?? null,
    description: row.details.description ?? sold?.description ?? null,
    images: sold?.images ?? [],
    status,
    failureReason,
    redirectUrl: row.details.redirectUrl,
    expiresAt: timestamp(row.details.expiresAt),
    isSubscription: row.details.subscription !== undefined,
    needsCustomer: row.details.subscription !== undefined && row.customerId === null,
    quote: status === 'open' ? quote : null,
    isPaid: settlementOf(row) !== null,
    takesOtherAssets: row.details.subscription === undefined && (networks[environment]?.paths ?? null) !== null,
  }
}
/** `isPaused`: the operator has frozen sales. */
export type PageView = ReturnType<typeof render> & { readonly isPaused: boolean }
