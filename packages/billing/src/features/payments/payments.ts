import { type Environment, Payment, PaymentId, type PaymentState } from '@quittance/domain'
import { payments as model, type PageRequest, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Executed } from '../../kernel/execute.ts'
import { isIn, retrieveExisting, type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import { type PaymentResource, paymentResource } from '../../resources/payment.ts'
import { type Listing, listed } from '../../services/listing.ts'
import type { Services } from '../../services/services.ts'
import type { PaymentServices } from './services.ts'

export type PaymentNotFound = { readonly _tag: 'PaymentNotFound' }

/** What customers have paid. Only the ingestion of the ledger records payments. */
export interface Payments {
  readonly retrieve: (scope: Scope, id: string) => TE.TaskEither<StoreUnavailable | PaymentNotFound, PaymentResource>
  /** `lookupKey` is a subscription: then its first payment is among them, though its checkout brought it. */
  readonly list: (page: PageRequest) => T.Task<Listing<PaymentResource>>
}

export const payments = (services: PaymentServices): Payments => {
  const { store, readModels, cursors, caughtUp } = services
  const show = async (environment: Environment) => paymentResource(services, await cursors.closedAt(environment))
  return {
    retrieve: (scope, id) => async () => {
      const found = await retrieveExisting(store)(model, id, scope, { _tag: 'PaymentNotFound' })
      return E.isLeft(found) ? found : E.right(await (await show(scope.environment))(found.right))
    },
    list: (page) => async () => {
      await caughtUp.withOwnWrites(page.merchantId)
      const first = await firstPaymentOf(services, page.lookupKey)
      const request = first === null ? page : { ...page, alsoId: first }
      return listed(services, readModels.payments, request, await show(page.environment))
    },
  }
}

/** What the checkout of a subscription brought; null after a trial. */
const firstPaymentOf = async (
  { readModels }: Pick<Services, 'readModels'>,
  subscriptionId: string | undefined,
): Promise<PaymentId | null> =>
  subscriptionId === undefined
    ? null
    : ((await readModels.subscriptions.withId(subscriptionId))?.row.details.firstPaymentId ?? null)

/** A payment as its stream has it at this moment. */
export type LoadedPayment = Executed<PaymentState> & { readonly paymentId: PaymentId }

/** Rejects what does not exist, or belongs to another merchant or environment. */
export const loadPayment = async (
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  id: string,
): Promise<E.Either<StoreUnavailable | PaymentNotFound, LoadedPayment>> => {
  const loaded = await stateOf(store)(Payment, id)
  if (E.isLeft(loaded)) return loaded
  const [first] = loaded.right.events
  if (first === undefined || !isIn(scope, first.metadata) || !PaymentId.is(id))
    return E.left({ _tag: 'PaymentNotFound' })
  return E.right({ paymentId: id, ...loaded.right })
}
