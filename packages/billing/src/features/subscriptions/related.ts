import { assetCode, issuerOf, type PaymentId, type SubscriptionRecord } from '@quittance/domain'
import { payments as paymentModel, products as productModel, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { retrieve, type StoreUnavailable } from '../../kernel/load.ts'
import { type PaymentResource, paymentResource } from '../../resources/payment.ts'
import { type ProductResource, productResource } from '../../resources/product.ts'
import type { SubscriptionServices } from './services.ts'

/**
 * What a subscription's detail shows beside it: its product, its asset, and its newest payment, including a failed one.
 */
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

/**
 * The newest of the first payment, the invoices' payments and the charges: ids are ordered by time. Null in a trial.
 */
const newestPayment = ({ details, invoices, attempts }: SubscriptionRecord): PaymentId | null => {
  const first = details.firstPaymentId === null ? [] : [details.firstPaymentId]
  const byHand = invoices.flatMap(({ payments }) => payments)
  return [...first, ...byHand, ...attempts.map(({ paymentId }) => paymentId)].toSorted().at(-1) ?? null
}

export const related = async (
  services: Pick<SubscriptionServices, 'store' | 'cursors' | 'vault' | 'settlementOf' | 'publicUrl'>,
  scope: Scope,
  state: SubscriptionRecord,
): Promise<E.Either<StoreUnavailable, Related>> => {
  const { store, cursors, settlementOf } = services
  const { assetId } = state.details
  const read = retrieve(store)
  const product = await read(productModel, state.terms.productId, scope)
  if (E.isLeft(product)) return product
  const paymentId = newestPayment(state)
  const payment = paymentId === null ? E.right(O.none) : await read(paymentModel, paymentId, scope)
  if (E.isLeft(payment)) return payment
  const syncedAt = await cursors.closedAt(scope.environment)
  const settlement = await settlementOf(scope.merchantId, scope.environment)()
  const accepted = E.isRight(settlement) ? settlement.right.accepted : []
  return E.right({
    related_resources: {
      product: pipe(product.right, O.map(productResource), O.toNullable),
      asset: {
        asset_id: assetId,
        code: assetCode(assetId),
        description: accepted.find((each) => each.assetId === assetId)?.description ?? '',
        canonicalIssuer: issuerOf(assetId),
        images: [],
      },
    },
    last_attempt: O.isNone(payment.right) ? null : await paymentResource(services, syncedAt)(payment.right.value),
  })
}
