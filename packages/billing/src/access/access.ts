import { customers as customerModel, products as productModel, type Scope } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { CustomerNotFound } from '../customers/customers.ts'
import { orNotFound, retrieve, type StoreUnavailable } from '../load.ts'
import type { ProductNotFound } from '../products/products.ts'
import type { Services } from '../services.ts'

/**
 * Whether a customer is entitled to a product, and by what. One-time payments do not expire; what is metered is open
 * while credits remain, and so never to who bought it without any.
 */
export type AccessResult = {
  readonly has_access: boolean
  readonly grant: { readonly type: 'one_time'; readonly payment_id: string } | null
  readonly expires_at: null
}

export type Access = (
  scope: Scope,
  customerId: string,
  productId: string,
) => TE.TaskEither<StoreUnavailable | CustomerNotFound | ProductNotFound, AccessResult>

export const access =
  ({ store, readModels, caughtUp }: Services): Access =>
  (scope, customerId, productId) =>
    pipe(
      retrieve(store)(customerModel, customerId, scope),
      TE.map(O.filter(({ row }) => row.status === 'living')),
      TE.chainEitherKW(orNotFound<CustomerNotFound>({ _tag: 'CustomerNotFound' })),
      TE.chainW(() => retrieve(store)(productModel, productId, scope)),
      TE.chainEitherKW(orNotFound<ProductNotFound>({ _tag: 'ProductNotFound' })),
      TE.chainFirstTaskK(() => () => caughtUp.withOwnWrites(scope.merchantId)),
      TE.map(({ row: { details } }) => {
        const isOpen = details.productType !== 'metered' || details.totalCredits > 0
        const [granting] = isOpen ? readModels.access.ofCustomer(scope, customerId, productId) : []
        return {
          has_access: granting !== undefined,
          grant: granting === undefined ? null : { type: 'one_time' as const, payment_id: granting.id },
          expires_at: null,
        }
      }),
    )
