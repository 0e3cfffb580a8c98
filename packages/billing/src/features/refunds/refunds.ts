import { type Found, refunds as model, type PageRequest, type RefundRow, type Scope } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { orNotFound, retrieveLater, type StoreUnavailable } from '../../kernel/load.ts'
import { type RefundResource, refundResource } from '../../resources/refund.ts'
import { awaitsSignature } from '../../services/custody.ts'
import { type Listing, listed } from '../../services/listing.ts'
import type { Services } from '../../services/services.ts'
import { requestRefund } from './request.ts'

export type RefundNotFound = { readonly _tag: 'RefundNotFound' }

export interface Refunds {
  readonly request: ReturnType<typeof requestRefund>
  readonly retrieve: (scope: Scope, id: string) => TE.TaskEither<StoreUnavailable | RefundNotFound, RefundResource>
  /** All of the merchant's, or those of one payment. */
  readonly list: (page: PageRequest, paymentId: string | null) => T.Task<Listing<RefundResource>>
}

/** Payments that are given back, whole. */
export const refunds = (services: Services): Refunds => {
  const shown = shownBy(services)
  return {
    request: requestRefund(services),
    retrieve: (scope, id) =>
      pipe(
        retrieveLater(services.store)(model, id, scope),
        TE.chainEitherKW(orNotFound<RefundNotFound>({ _tag: 'RefundNotFound' })),
        TE.map(shown),
      ),
    list: (page, paymentId) => () =>
      listed(
        services,
        services.readModels.refunds,
        { ...page, ...(paymentId === null ? {} : { listedUnder: paymentId }) },
        shown,
      ),
  }
}

/** As `refundResource`, with what a merchant has to sign for it. */
export const shownBy =
  ({ readModels }: Pick<Services, 'readModels'>) =>
  (found: Found<RefundRow>): RefundResource =>
    refundResource(found, found.row.status === 'pending' && awaitsSignature(readModels, found.environment, found.id))
