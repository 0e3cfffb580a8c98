import { assetCode, issuerOf, type PaymentId, type SubscriptionRecord } from '@quittance/domain'
import { payments as paymentModel, products as productModel, type Scope } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { retrieveLater, type StoreUnavailable } from '../../kernel/load.ts'
import { type PaymentResource, paymentResource } from '../../resources/payment.ts'
import { type ProductResource, productResource } from '../../resources/product.ts'
import type { Services } from '../../services/services.ts'
import type { Settlement } from '../../services/settlements.ts'

/** What belongs to a subscription: what is sold, in which asset, and its newest payment, be it one that failed. */
export type Related = {
  readonly related_resources: {
    readonly product: ProductResource | null
    readonly asset: AssetResource
  }
  readonly last_attempt: PaymentResource | null
}

type AssetResource = {
  readonly asset_id: string
  readonly code: string
  readonly description: string
  readonly canonicalIssuer: string | null
  readonly images: ReadonlyArray<string>
}

/** The first payment, that of an invoice, or of a charge: ids are ordered by time. Null in a trial. */
const newestPayment = ({ details, invoices, attempts }: SubscriptionRecord): PaymentId | null => {
  const first = details.firstPaymentId === null ? [] : [details.firstPaymentId]
  const byHand = invoices.flatMap(({ payments }) => payments)
  return [...first, ...byHand, ...attempts.map(({ paymentId }) => paymentId)].toSorted().at(-1) ?? null
}

export const related =
  ({ store, vault, cursors, settlementOf }: Services) =>
  (scope: Scope, state: SubscriptionRecord): TE.TaskEither<StoreUnavailable, Related> => {
    const { assetId } = state.details
    return pipe(
      retrieveLater(store)(productModel, state.terms.productId, scope),
      TE.bindTo('product'),
      TE.bindW('payment', () => {
        const paymentId = newestPayment(state)
        return paymentId === null ? TE.right(O.none) : retrieveLater(store)(paymentModel, paymentId, scope)
      }),
      TE.bindW('description', () =>
        TE.fromTask(
          TE.match(
            () => '',
            ({ accepted }: Settlement) => accepted.find((each) => each.assetId === assetId)?.description ?? '',
          )(settlementOf(scope.merchantId, scope.environment)),
        ),
      ),
      TE.map(({ product, payment, description }) => ({
        related_resources: {
          product: pipe(product, O.map(productResource), O.toNullable),
          asset: {
            asset_id: assetId,
            code: assetCode(assetId),
            description,
            canonicalIssuer: issuerOf(assetId),
            images: [],
          },
        },
        last_attempt: pipe(payment, O.map(paymentResource(vault, cursors.closedAt(scope.environment))), O.toNullable),
      })),
    )
  }
