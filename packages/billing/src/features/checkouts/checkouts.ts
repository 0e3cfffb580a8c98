import { Checkout, CheckoutId, type PriceInput, type UnixMs } from '@quittance/domain'
import { type CheckoutRow, type Found, checkouts as model, type PageRequest, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { type CommandContext, execute } from '../../kernel/execute.ts'
import { rowAfter, type StoreUnavailable } from '../../kernel/load.ts'
import { type CheckoutResource, checkoutResource } from '../../resources/checkout.ts'
import { type Listing, listed } from '../../services/listing.ts'
import type { Customers } from '../customers/customers.ts'
import { existingCheckout } from '../payments/session.ts'
import { checkoutWithCost, costAt } from './cost.ts'
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
  const { store, readModels, publicUrl, clock } = services
  const show = (found: Found<CheckoutRow>) => checkoutResource(publicUrl())(found)
  /** As a retrieval does; only an open session is looked at more closely, and shown as it is if the store cannot answer. */
  const showNow = async (found: Found<CheckoutRow>, at: UnixMs) => {
    if (found.row.status !== 'open') return show(found)
    const now = await checkoutWithCost(services, found, found.id, at)
    return E.isLeft(now) ? show(found) : checkoutResource(publicUrl())(now.right.found, now.right.cost)
  }
  const showNew = async (context: CommandContext, created: E.Either<CheckoutFailure, Found<CheckoutRow>>) => {
    if (E.isLeft(created)) return created
    const found = created.right
    const cost = await costAt(services, found, [], context.at)
    return E.isLeft(cost) ? cost : E.right(checkoutResource(publicUrl())(found, cost.right))
  }
  return {
    createForProduct: (context, productId, options) => async () =>
      showNew(context, await createForProduct(services, customers, context, productId, options)),
    createDirect: (context, price, code, options) => async () =>
      showNew(context, await createDirect(services, customers, context, price, code, options)),
    retrieve: (scope, id) => async () => {
      const now = await checkoutWithCost(services, scope, id, clock.now(scope.environment))
      return E.isLeft(now) ? now : E.right(checkoutResource(publicUrl())(now.right.found, now.right.cost))
    },
    list: (page) => async () => {
      const { resources: rows, hasMore } = await listed(services, readModels.checkouts, page, (found) => found)
      const now = clock.now(page.environment)
      return { resources: await Promise.all(rows.map((found) => showNow(found, now))), hasMore }
    },
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
