import { Checkout, CheckoutId, type PriceInput } from '@quittance/domain'
import { type CheckoutRow, type Found, checkouts as model, type PageRequest, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { type CommandContext, execute } from '../../kernel/execute.ts'
import { retrieveExisting, rowAfter, type StoreUnavailable } from '../../kernel/load.ts'
import { type CheckoutResource, checkoutResource } from '../../resources/checkout.ts'
import { type Listing, listed } from '../../services/listing.ts'
import type { Customers } from '../customers/customers.ts'
import { existingCheckout } from '../payments/session.ts'
import { createDirect, createForProduct } from './create.ts'
import { followUp } from './follow-up.ts'
import type { CheckoutFailure, CheckoutNotFound, CheckoutOptions } from './options.ts'
import type { CheckoutServices } from './services.ts'

/** Sessions in which customers pay. Only the ledger completes them. */
export interface Checkouts {
  readonly createForProduct: (
    context: CommandContext,
    productId: string,
    options: CheckoutOptions,
  ) => TE.TaskEither<CheckoutFailure, CheckoutResource>
  /** `code` is a currency code, or the code or SEP-11 name of an accepted asset. */
  readonly createDirect: (
    context: CommandContext,
    price: PriceInput,
    code: string,
    options: CheckoutOptions,
  ) => TE.TaskEither<CheckoutFailure, CheckoutResource>
  readonly retrieve: (scope: Scope, id: string) => TE.TaskEither<StoreUnavailable | CheckoutNotFound, CheckoutResource>
  readonly list: (page: PageRequest) => T.Task<Listing<CheckoutResource>>
  /** Ends an open session before its deadline, along with a partial payment. */
  readonly expire: (context: CommandContext, id: string) => TE.TaskEither<CheckoutFailure, CheckoutResource>
}

export const checkouts = (services: CheckoutServices, customers: Customers): Checkouts => {
  const { store, readModels, publicUrl } = services
  const show = (found: Found<CheckoutRow>) => checkoutResource(publicUrl())(found)
  return {
    createForProduct:
      (...request) =>
      async () =>
        E.map(show)(await createForProduct(services, customers, ...request)),
    createDirect:
      (...request) =>
      async () =>
        E.map(show)(await createDirect(services, customers, ...request)),
    retrieve: (scope, id) => async () =>
      E.map(show)(await retrieveExisting(store)(model, id, scope, { _tag: 'CheckoutNotFound' })),
    list: (page) => () => listed(services, readModels.checkouts, page, show),
    expire: (context, id) => async () => {
      const decide = Checkout.decider.decide({ type: 'EndSession', at: context.at, cause: 'merchant' })
      const ended = await execute(store)(Checkout, id, context, decide)
      if (E.isLeft(ended)) return ended
      const { merchantId, environment, at } = context
      const session = { merchantId, environment, sessionId: decodeOrThrow(CheckoutId, id), at }
      const followed = await followUp(services, session, existingCheckout(ended.right.state, id))
      return E.isLeft(followed) ? followed : E.right(show(rowAfter(model, id)(ended.right)))
    },
  }
}
