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
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { retrieveLater, type StoreUnavailable } from '../../kernel/load.ts'
import { noDeadline } from '../../kernel/session-kinds.ts'
import { timestamp } from '../../resources/fields.ts'
import { networkOf, type Services } from '../../services/services.ts'
import type { MerchantNotReady } from '../../services/settlements.ts'
import type { CheckoutNotFound } from '../checkouts/options.ts'
import { agreedFacts, type MandateFacts } from '../paying/mandate-facts.ts'
import type { PageView } from '../paying/page.ts'
import type { QuoteView, QuoteViewFailure } from '../paying/quote.ts'
import type { StatusView } from '../paying/status.ts'
import { type Asked, askedFor } from './asked.ts'
import { askedPrice } from './price.ts'

const none = stroops(0n)

/** What the customer agrees to: what is owed, which is tried once they have signed, then at most the cap for each interval. */
export const factsOf = (
  { state, terms }: Asked,
  { cap, amount }: { readonly cap: Stroops; readonly amount: Stroops },
): MandateFacts => {
  const { contract } = state.authorization.mandate
  const cycle = { interval: terms.interval, intervalCount: terms.intervalCount }
  const noTrial = { firstAmount: none, trialDays: count(0), trialEndsAt: noDeadline }
  const owed = state.status === 'past_due' || state.status === 'overdue' ? amount : none
  return agreedFacts({ contract, assetId: state.details.assetId, cap, owed, ...cycle, ...noTrial })
}

/** In the shape of a checkout's: nothing is due, and `mandate` says what is asked for. */
export const authorizationQuote =
  (services: Services) =>
  (id: string): TE.TaskEither<QuoteViewFailure, QuoteView> =>
    pipe(
      askedFor(services)(id),
      TE.bindTo('asked'),
      TE.bindW('network', ({ asked }) => TE.fromEither(networkOf(services, asked.scope.environment))),
      TE.bindW('price', ({ asked }) => askedPrice(services)(asked)),
      TE.map(({ asked, network, price: { quote, cap } }) => {
        const { state, terms, standing } = asked
        const { assetId } = state.details
        const validUntil = unixMs(services.clock.now() + quoteLifetimeMs(quote.pegged))
        return {
          checkout_id: id,
          status: standing.status,
          destination: state.authorization.mandate.payee,
          asset_id: assetId,
          amount: decimalFromStroops(quote.amount),
          currency_code: terms.price.currency,
          currency_amount: decimalFromCents(terms.price.cents),
          memo: id,
          memo_type: 'text' as const,
          network_passphrase: network.gateway.networkPassphrase,
          valid_until: timestamp(validUntil),
          amount_received: decimalFromStroops(none),
          amount_due: decimalFromStroops(none),
          sep7_uri: null,
          mandate: factsOf(asked, { cap, amount: quote.amount }),
          rates: quote.rates.map(({ source, pair, rate, observedAt }) => ({
            source,
            pair,
            rate,
            observed_at: timestamp(observedAt),
          })),
        }
      }),
    )

/** How it stands, in the shape of a checkout's status. */
export const authorizationStatus =
  (services: Services) =>
  (id: string): TE.TaskEither<StoreUnavailable | CheckoutNotFound, StatusView> =>
    TE.map((asked: Asked): StatusView => {
      const { standing, state, subscriptionId } = asked
      return {
        checkout_id: id,
        status: standing.status,
        amount_received: decimalFromStroops(none),
        amount_due: standing.status === 'open' ? decimalFromStroops(none) : null,
        currency_code: assetCode(state.details.assetId),
        payment_id: null,
        subscription_id: subscriptionId,
        transaction_hash: standing.status === 'completed' ? standing.hash : null,
        failure_reason: standing.status === 'failed' ? standing.reason : null,
        late: false,
        redirect_url: null,
        expires_at: timestamp(noDeadline),
        valid_until: null,
        mandate:
          standing.status === 'completed'
            ? factsOf(asked, { cap: state.authorization.mandate.cap, amount: none })
            : null,
      }
    })(askedFor(services)(id))

/** What a page shows of it. Without a rate there is no quote. */
export const authorizationPage =
  (services: Services) =>
  (id: string): TE.TaskEither<StoreUnavailable | CheckoutNotFound | MerchantNotReady, PageView> =>
    pipe(
      askedFor(services)(id),
      TE.bindTo('asked'),
      TE.bindW('quote', () =>
        TE.fromTask(
          TE.match(
            () => null,
            (quote: QuoteView) => quote,
          )(authorizationQuote(services)(id)),
        ),
      ),
      TE.bindW('settlement', ({ asked: { scope } }) => services.settlementOf(scope.merchantId, scope.environment)),
      TE.bindW('product', ({ asked }) =>
        retrieveLater(services.store)(productModel, asked.terms.productId, asked.scope),
      ),
      TE.map(({ asked: { scope, standing }, quote, settlement, product }) => {
        const sold = O.toNullable(product)?.row.details ?? null
        return {
          checkoutId: id,
          environment: scope.environment,
          merchantName: settlement.merchantName,
          productName: sold?.name ?? null,
          description: sold?.description ?? null,
          images: sold?.images ?? [],
          status: standing.status,
          failureReason: standing.status === 'failed' ? standing.reason : null,
          redirectUrl: null,
          expiresAt: timestamp(noDeadline),
          isSubscription: true,
          needsCustomer: false,
          quote: standing.status === 'open' ? quote : null,
          takesOtherAssets: false,
        }
      }),
    )
