import {
  assetCode,
  count,
  decimalFromCents,
  decimalFromStroops,
  quoteLifetimeMs,
  type Stroops,
  stroops,
  unixMs,
} from '@quittance/domain'
import { products as productModel } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { retrieve, type StoreUnavailable } from '../../kernel/load.ts'
import { noDeadline } from '../../kernel/session-kinds.ts'
import { timestamp } from '../../resources/fields.ts'
import { sellerResource } from '../../resources/seller.ts'
import { isFrozenNow } from '../../services/freezing.ts'
import { networkOf, type Services } from '../../services/services.ts'
import type { MerchantNotReady } from '../../services/settlements.ts'
import type { CheckoutNotFound } from '../checkouts/options.ts'
import { agreedFacts, type MandateFacts } from '../paying/mandate-facts.ts'
import type { PageView } from '../paying/page.ts'
import { type QuoteView, type QuoteViewFailure, shownRate } from '../paying/quote.ts'
import type { StatusView } from '../paying/status.ts'
import { type Answered, answered } from './contract-for-new.ts'
import { requestPrice } from './price.ts'
import { type AuthorizationRequest, authorizationRequest } from './request.ts'
import type { AuthorizationServices } from './services.ts'

const none = stroops(0n)

/**
 * What the customer agrees to: the amount owed, which is collected after the signature, then at most the cap for each
 * interval.
 */
export const factsOf = (
  { state, terms, assetId }: AuthorizationRequest,
  { cap, amount }: { readonly cap: Stroops; readonly amount: Stroops },
  where: Answered,
): MandateFacts => {
  const cycle = { interval: terms.interval, intervalCount: terms.intervalCount }
  const noTrial = { firstAmount: none, trialDays: count(0), trialEndsAt: noDeadline }
  const owed = state.status === 'past_due' || state.status === 'overdue' ? amount : none
  return agreedFacts({ ...where, assetId, cap, owed, ...cycle, ...noTrial })
}

/** The request in the shape of a checkout's quote: nothing is due, and `mandate` holds the requested terms. */
export const authorizationQuote = async (
  services: AuthorizationServices,
  id: string,
): Promise<E.Either<QuoteViewFailure, QuoteView>> => {
  const found = await authorizationRequest(services, id)
  if (E.isLeft(found)) return found
  const request = found.right
  const { reference, state, terms, assetId, progress, scope } = request
  const network = networkOf(services, scope.environment)
  if (E.isLeft(network)) return network
  const price = await requestPrice(services, request)
  if (E.isLeft(price)) return price
  const { quote, cap } = price.right
  return E.right({
    checkout_id: id,
    status: progress.status,
    destination: state.authorization.mandate.payee,
    asset_id: assetId,
    asset_code: assetCode(assetId),
    amount: decimalFromStroops(quote.amount),
    currency_code: terms.price.currency,
    currency_amount: decimalFromCents(terms.price.cents),
    memo: reference,
    memo_type: 'text',
    network_passphrase: network.right.gateway.networkPassphrase,
    valid_until: timestamp(unixMs(services.clock.now(scope.environment) + quoteLifetimeMs(quote.pegged))),
    amount_received: decimalFromStroops(none),
    amount_due: decimalFromStroops(none),
    sep7_uri: null,
    mandate: factsOf(request, { cap, amount: quote.amount }, answered(request, network.right, null)),
    rates: quote.rates.map(shownRate),
    terms: null,
  })
}

/** The status of a request, in the shape of a checkout's. */
export const authorizationStatus = async (
  services: Pick<Services, 'store' | 'readModels' | 'caughtUp'>,
  id: string,
): Promise<E.Either<StoreUnavailable | CheckoutNotFound, StatusView>> => {
  const found = await authorizationRequest(services, id)
  if (E.isLeft(found)) return found
  const { progress, state, terms, assetId, subscriptionId } = found.right
  const isCompleted = progress.status === 'completed'
  const { cap, contract } = state.authorization.mandate
  return E.right({
    checkout_id: id,
    status: progress.status,
    amount_received: decimalFromStroops(none),
    amount_due: progress.status === 'open' ? decimalFromStroops(none) : null,
    asset_id: assetId,
    asset_code: assetCode(assetId),
    currency_code: terms.price.currency,
    payment_id: null,
    subscription_id: subscriptionId,
    transaction_hash: isCompleted ? progress.hash : null,
    failure_reason: progress.status === 'failed' ? progress.reason : null,
    late: false,
    redirect_url: null,
    expires_at: timestamp(noDeadline),
    valid_until: null,
    mandate: isCompleted ? factsOf(found.right, { cap, amount: none }, { contract, replaces: null }) : null,
  })
}

/** The hosted page of a request. Without a rate it has no quote. */
export const authorizationPage = async (
  services: AuthorizationServices,
  id: string,
): Promise<E.Either<ExecuteFailure | CheckoutNotFound | MerchantNotReady, PageView>> => {
  const found = await authorizationRequest(services, id)
  if (E.isLeft(found)) return found
  const { scope, progress, terms } = found.right
  const quote = await authorizationQuote(services, id)
  const settlement = await services.settlementOf(scope.merchantId, scope.environment)()
  if (E.isLeft(settlement)) return settlement
  const product = await retrieve(services.store)(productModel, terms.productId, scope)
  if (E.isLeft(product)) return product
  const sold = O.toNullable(product.right)?.row.details ?? null
  const frozen = await isFrozenNow(services, 'sales', scope.merchantId)
  if (E.isLeft(frozen)) return frozen
  const isOffered = progress.status === 'open' && !frozen.right
  return E.right({
    checkoutId: id,
    environment: scope.environment,
    merchantName: settlement.right.merchantName,
    seller: sellerResource(settlement.right.profile, settlement.right.logo),
    terms: null,
    productName: sold?.name ?? null,
    description: sold?.description ?? null,
    images: sold?.images ?? [],
    status: progress.status,
    failureReason: progress.status === 'failed' ? progress.reason : null,
    redirectUrl: null,
    expiresAt: timestamp(noDeadline),
    isSubscription: true,
    needsCustomer: false,
    quote: isOffered && E.isRight(quote) ? quote.right : null,
    isPaid: false,
    takesOtherAssets: false,
    isPaused: frozen.right,
  })
}
