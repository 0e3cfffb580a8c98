import type { UnixMs } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { balanceOf } from '../features/credits/books.ts'
import { customerAndProduct, type NoSuchPair } from '../features/customers/customer-and-product.ts'
import { timestampOrNull } from '../resources/fields.ts'
import type { Services } from '../services/services.ts'
import type { AccessServices } from './services.ts'
import { type Subscribed, type SubscriptionGrant, subscribed } from './subscribed.ts'

/** Whether a customer has access to a product, and by which grant. `expires_at` is its end unless more is paid. */
export type AccessResult = {
  readonly has_access: boolean
  readonly grant: { readonly type: 'one_time'; readonly payment_id: string } | SubscriptionGrant | null
  readonly expires_at: string | null
}

/**
 * `at` asks for a moment in time: past moments count what was confirmed and consumed by then, future ones what is known
 * now. The customer and the product must exist, and the customer must not have been deleted by then.
 */
export type Access = (
  scope: Scope,
  customerId: string,
  productId: string,
  at?: UnixMs,
) => TE.TaskEither<NoSuchPair, AccessResult>

/**
 * A one-time payment gives access from its confirmation until it is refunded. A metered product is accessible while
 * credits remain: the grant is the payment whose credits are consumed next. Only a subscription gives access to a
 * subscription product, whatever was paid for it. An `at` that has passed needs services of that moment.
 */
export const access =
  (services: AccessServices): Access =>
  (scope, customerId, productId, at) =>
  async () => {
    const product = await customerAndProduct(services, scope, customerId, productId)
    if (E.isLeft(product)) return product
    await services.caughtUp.withOwnWrites(scope.merchantId)
    switch (product.right.row.details.productType) {
      case 'subscription':
        return E.right(bySubscription(await subscribed(services, scope, customerId, productId, at)))
      case 'metered': {
        const balance = await balanceOf(services, scope, { customerId, productId })
        return E.isLeft(balance) ? balance : E.right(byPayment(balance.right.grants[0]?.paymentId ?? null))
      }
      case 'one_time':
        return E.right(byPayment(await firstUnrefunded(services, scope, customerId, productId, at)))
    }
  }

const noAccess: AccessResult = { has_access: false, grant: null, expires_at: null }

export const byPayment = (paymentId: string | null): AccessResult =>
  paymentId === null
    ? noAccess
    : { has_access: true, grant: { type: 'one_time', payment_id: paymentId }, expires_at: null }

/** There is no known end while a charge decides whether the subscription continues. */
export const bySubscription = (found: Subscribed | null): AccessResult =>
  found === null ? noAccess : { has_access: true, grant: found.grant, expires_at: timestampOrNull(found.until) }

const firstUnrefunded = async (
  { readModels }: Pick<Services, 'readModels'>,
  scope: Scope,
  customerId: string,
  productId: string,
  at = Number.MAX_SAFE_INTEGER,
): Promise<string | null> => {
  const granting = await readModels.access.withKeyUnder(scope, customerId, productId)
  const granted = granting.find(
    ({ row: { grant } }) => grant !== null && grant.since <= at && (grant.until === null || at < grant.until),
  )
  return granted?.id ?? null
}
