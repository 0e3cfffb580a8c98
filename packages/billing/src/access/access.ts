import type { UnixMs } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { balanceOf } from '../features/credits/books.ts'
import { customerAndProduct, type NoSuchPair } from '../features/customers/customer-and-product.ts'
import type { StoreUnavailable } from '../kernel/load.ts'
import { timestampOrNull } from '../resources/fields.ts'
import type { Services } from '../services/services.ts'
import { type Subscribed, type SubscriptionGrant, subscribed } from './subscribed.ts'

/** Whether a customer is entitled to a product, and by what. `expires_at` is when that ends, unless more is paid. */
export type AccessResult = {
  readonly has_access: boolean
  readonly grant: { readonly type: 'one_time'; readonly payment_id: string } | SubscriptionGrant | null
  readonly expires_at: string | null
}

/**
 * `at` asks for a moment: what had been confirmed by then, in ledgers closed then or before, and consumed by then. A
 * moment to come is answered by what is known now. Whether there are such a customer and product is asked of today.
 */
export type Access = (
  scope: Scope,
  customerId: string,
  productId: string,
  at?: UnixMs,
) => TE.TaskEither<NoSuchPair, AccessResult>

/**
 * A one-time payment entitles from its confirmation on, until it was refunded. What is metered is open while credits remain: the grant is the
 * payment whose credits are consumed next, so there is none for who bought without any. To what is subscribed to, only a
 * subscription entitles, whatever was paid for it.
 */
export const access =
  (services: Services): Access =>
  (scope, customerId, productId, at) =>
    pipe(
      () => customerAndProduct(services, scope, customerId, productId),
      TE.chainFirstTaskK(() => () => services.caughtUp.withOwnWrites(scope.merchantId)),
      TE.chainW(({ row }): TE.TaskEither<StoreUnavailable, AccessResult> => {
        switch (row.details.productType) {
          case 'subscription':
            return TE.map(bySubscription)(() => subscribed(services, scope, customerId, productId, at))
          case 'metered':
            return TE.map(byPayment)(nextConsumed(services, scope, customerId, productId, at))
          case 'one_time':
            return TE.right(byPayment(firstUnrefunded(services, scope, customerId, productId, at)))
        }
      }),
    )

const noAccess: AccessResult = { has_access: false, grant: null, expires_at: null }

export const byPayment = (paymentId: string | null): AccessResult =>
  paymentId === null
    ? noAccess
    : { has_access: true, grant: { type: 'one_time', payment_id: paymentId }, expires_at: null }

/** While a charge decides whether it goes on, nobody knows when it ends. */
export const bySubscription = (found: Subscribed | null): AccessResult =>
  found === null ? noAccess : { has_access: true, grant: found.grant, expires_at: timestampOrNull(found.until) }

const nextConsumed = (
  services: Services,
  scope: Scope,
  customerId: string,
  productId: string,
  at?: UnixMs,
): TE.TaskEither<StoreUnavailable, string | null> =>
  TE.map(
    ({ grants }: { readonly grants: ReadonlyArray<{ readonly paymentId: string }> }) => grants[0]?.paymentId ?? null,
  )(() => balanceOf(services, scope, { customerId, productId }, at ?? null))

const firstUnrefunded = (
  { readModels }: Services,
  scope: Scope,
  customerId: string,
  productId: string,
  at = Number.MAX_SAFE_INTEGER,
): string | null => {
  const granting = readModels.access.withKeyUnder(scope, customerId, productId)
  const granted = granting.find(
    ({ row: { grant } }) => grant !== null && grant.since <= at && (grant.until === null || at < grant.until),
  )
  return granted?.id ?? null
}
