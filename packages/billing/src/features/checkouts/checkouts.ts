import { Checkout, CheckoutId, type PriceInput } from '@quittance/domain'
import { checkouts as model, type PageRequest, type Scope } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { type CommandContext, executeLater } from '../../kernel/execute.ts'
import { orNotFound, retrieveLater, rowAfter, type StoreUnavailable } from '../../kernel/load.ts'
import { type CheckoutResource, checkoutResource } from '../../resources/checkout.ts'
import { type Listing, listed } from '../../services/listing.ts'
import type { Services } from '../../services/services.ts'
import { existing } from '../../services/steps.ts'
import type { Customers } from '../customers/customers.ts'
import { createDirect, createForProduct } from './create.ts'
import { followUp } from './follow-up.ts'
import type { CheckoutFailure, CheckoutNotFound, CheckoutOptions } from './options.ts'

/** Sessions in which customers pay. What completes them comes from the ledger alone. */
export interface Checkouts {
  readonly createForProduct: (
    context: CommandContext,
    productId: string,
    options: CheckoutOptions,
  ) => TE.TaskEither<CheckoutFailure, CheckoutResource>
  /** `code` is a currency's, or names an accepted asset by its code or its SEP-11 name. */
  readonly createDirect: (
    context: CommandContext,
    price: PriceInput,
    code: string,
    options: CheckoutOptions,
  ) => TE.TaskEither<CheckoutFailure, CheckoutResource>
  readonly retrieve: (scope: Scope, id: string) => TE.TaskEither<StoreUnavailable | CheckoutNotFound, CheckoutResource>
  readonly list: (page: PageRequest) => T.Task<Listing<CheckoutResource>>
  /** Ends an open session before its deadline, and the payment of which only a part had come. */
  readonly expire: (context: CommandContext, id: string) => TE.TaskEither<CheckoutFailure, CheckoutResource>
}

export const checkouts = (services: Services, customers: Customers): Checkouts => {
  const { store, readModels } = services
  const show = (found: Parameters<ReturnType<typeof checkoutResource>>[0]) =>
    checkoutResource(services.publicUrl())(found)
  const forProduct = createForProduct(services, customers)
  const direct = createDirect(services, customers)
  return {
    createForProduct: (context, productId, options) => TE.map(show)(forProduct(context, productId, options)),
    createDirect: (context, price, code, options) => TE.map(show)(direct(context, price, code, options)),
    retrieve: (scope, id) =>
      pipe(
        retrieveLater(store)(model, id, scope),
        TE.chainEitherKW(orNotFound<CheckoutNotFound>({ _tag: 'CheckoutNotFound' })),
        TE.map(show),
      ),
    list: (page) => listed(services)(readModels.checkouts, page, show),
    expire: (context, id) =>
      pipe(
        executeLater(store)(
          Checkout,
          id,
          context,
          Checkout.decider.decide({ type: 'EndSession', at: context.at, cause: 'merchant' }),
        ),
        TE.chainFirstW(({ state }) => {
          const { merchantId, environment, at } = context
          const place = { merchantId, environment, sessionId: decodeOrThrow(CheckoutId, id), at }
          return followUp(services)(place, existing(state, id))
        }),
        TE.map(rowAfter(model, id)),
        TE.map(show),
      ),
  }
}
