import type { UnixMs } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { balanceOf } from '../credits/books.ts'
import type { StoreUnavailable } from '../load.ts'
import type { Services } from '../services.ts'
import { customerAndProduct, type NoSuchPair } from './customer-and-product.ts'

/** Whether a customer is entitled to a product, and by what. Nothing that is sold so far ends at a known time. */
export type AccessResult = {
  readonly has_access: boolean
  readonly grant: { readonly type: 'one_time'; readonly payment_id: string } | null
  readonly expires_at: null
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
 * payment whose credits are consumed next, so there is none for who bought without any.
 */
export const access =
  (services: Services): Access =>
  (scope, customerId, productId, at) =>
    pipe(
      customerAndProduct(services)(scope, customerId, productId),
      TE.chainFirstTaskK(() => () => services.caughtUp.withOwnWrites(scope.merchantId)),
      TE.chainW(({ row }) =>
        row.details.productType === 'metered'
          ? nextConsumed(services, scope, customerId, productId, at)
          : TE.right(firstUnrefunded(services, scope, customerId, productId, at)),
      ),
      TE.map((paymentId) => ({
        has_access: paymentId !== null,
        grant: paymentId === null ? null : { type: 'one_time' as const, payment_id: paymentId },
        expires_at: null,
      })),
    )

const nextConsumed = (
  services: Services,
  scope: Scope,
  customerId: string,
  productId: string,
  at?: UnixMs,
): TE.TaskEither<StoreUnavailable, string | null> =>
  TE.map(
    ({ grants }: { readonly grants: ReadonlyArray<{ readonly paymentId: string }> }) => grants[0]?.paymentId ?? null,
  )(balanceOf(services)(scope, { customerId, productId }, at ?? null))

const firstUnrefunded = (
  { readModels }: Services,
  scope: Scope,
  customerId: string,
  productId: string,
  at = Number.MAX_SAFE_INTEGER,
): string | null => {
  const granting = readModels.access.ofCustomer(scope, customerId, productId)
  const granted = granting.find(
    ({ row: { grant } }) => grant !== null && grant.since <= at && (grant.until === null || at < grant.until),
  )
  return granted?.id ?? null
}
