import type { Environment } from '@quittance/domain'
import { payments as model, type PageRequest, type Scope } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { orNotFound, retrieve, type StoreUnavailable } from '../load.ts'
import { type PaymentResource, paymentResource } from '../resources/payment.ts'
import type { Services } from '../services.ts'

export type PaymentNotFound = { readonly _tag: 'PaymentNotFound' }

export interface Payments {
  readonly retrieve: (scope: Scope, id: string) => TE.TaskEither<StoreUnavailable | PaymentNotFound, PaymentResource>
  readonly list: (page: PageRequest) => {
    readonly resources: ReadonlyArray<PaymentResource>
    readonly hasMore: boolean
  }
}

/** What customers have paid. Nothing here decides; the follower of the ledger does. */
export const payments = ({ store, readModels, vault, cursors }: Services): Payments => {
  const show = (environment: Environment) => paymentResource(vault, cursors.closedAt(environment))
  return {
    retrieve: (scope, id) =>
      pipe(
        retrieve(store)(model, id, scope),
        TE.chainEitherKW(orNotFound<PaymentNotFound>({ _tag: 'PaymentNotFound' })),
        TE.map(show(scope.environment)),
      ),
    list: (page) => {
      const { rows, hasMore } = readModels.payments.page(page)
      return { resources: rows.map(show(page.environment)), hasMore }
    },
  }
}
