import type { Environment } from '@quittance/domain'
import { payments as model, type PageRequest, type Scope } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { orNotFound, retrieveLater, type StoreUnavailable } from '../../kernel/load.ts'
import { type PaymentResource, paymentResource } from '../../resources/payment.ts'
import { type Listing, listed } from '../../services/listing.ts'
import type { Services } from '../../services/services.ts'

export type PaymentNotFound = { readonly _tag: 'PaymentNotFound' }

export interface Payments {
  readonly retrieve: (scope: Scope, id: string) => TE.TaskEither<StoreUnavailable | PaymentNotFound, PaymentResource>
  readonly list: (page: PageRequest) => T.Task<Listing<PaymentResource>>
}

/** What customers have paid. Nothing here decides; the follower of the ledger does. */
export const payments = (services: Services): Payments => {
  const { store, vault, cursors } = services
  const show = (environment: Environment) => paymentResource(vault, cursors.closedAt(environment))
  return {
    retrieve: (scope, id) =>
      pipe(
        retrieveLater(store)(model, id, scope),
        TE.chainEitherKW(orNotFound<PaymentNotFound>({ _tag: 'PaymentNotFound' })),
        TE.map(show(scope.environment)),
      ),
    list: (page) => () => listed(services, services.readModels.payments, page, show(page.environment)),
  }
}
