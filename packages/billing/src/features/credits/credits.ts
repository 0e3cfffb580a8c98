import {
  accountName,
  type BooksOf,
  CreditTransactionId,
  type MetadataRejection,
  mergeMetadata,
  noMetadata,
  type PositiveCount,
  units,
} from '@quittance/domain'
import type { PageRequest, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createdId } from '../../kernel/derive.ts'
import type { CommandContext } from '../../kernel/execute.ts'
import { isIn } from '../../kernel/load.ts'
import {
  type CreditBalanceResource,
  type CreditTransactionResource,
  creditBalanceResource,
  creditTransactionResource,
} from '../../resources/credits.ts'
import { type Listing, listed } from '../../services/listing.ts'
import type { Services } from '../../services/services.ts'
import { customerAndProduct, existingProduct, type NoSuchPair } from '../customers/customer-and-product.ts'
import { balanceOf, type EntryFailure, enter, enteredBefore } from './books.ts'

export type ConsumeFailure = NoSuchPair | EntryFailure | MetadataRejection
export type TransactionNotFound = { readonly _tag: 'CreditTransactionNotFound' }

/** What is consumed: units, of which `units_per_credit` make a credit. */
export type Consumption = { readonly units: PositiveCount; readonly metadata: unknown }

export interface CustomerCredits {
  readonly retrieve: (scope: Scope, of: BooksOf) => TE.TaskEither<NoSuchPair, CreditBalanceResource>
  /** Answers the balance right after it. */
  readonly consume: (
    context: CommandContext,
    of: BooksOf,
    consumption: Consumption,
  ) => TE.TaskEither<ConsumeFailure, CreditBalanceResource>
  readonly transaction: (
    scope: Scope,
    of: BooksOf,
    id: string,
  ) => TE.TaskEither<NoSuchPair | TransactionNotFound, CreditTransactionResource>
  readonly transactions: (
    page: PageRequest,
    of: BooksOf,
  ) => TE.TaskEither<NoSuchPair, Listing<CreditTransactionResource>>
}

/** What customers have bought of metered products, and what of it they have consumed. */
export const customerCredits = (services: Services): CustomerCredits => {
  const { readModels, caughtUp } = services
  const soldTo =
    (scope: Scope, { customerId, productId }: BooksOf) =>
    () =>
      customerAndProduct(services, scope, customerId, productId)
  return {
    retrieve: (scope, of) =>
      pipe(
        soldTo(scope, of),
        TE.bindTo('product'),
        TE.bindW('balance', () => () => balanceOf(services, scope, of, null)),
        TE.map(({ product, balance }) => creditBalanceResource(product.row.details, balance)),
      ),
    consume: (context, of, { units: wanted, metadata }) =>
      pipe(
        () => enteredBefore(services, context, of, 0n),
        // What was consumed stays so, whatever has become of the customer since.
        TE.chainW((before) =>
          before === null ? soldTo(context, of) : () => existingProduct(services, context, of.productId),
        ),
        TE.bindTo('product'),
        TE.bindW('metadata', () => TE.fromEither(mergeMetadata(noMetadata, metadata ?? {}))),
        TE.bindW('entered', ({ metadata }) => {
          const transactionId = createdId(CreditTransactionId, context.at, context.commandId)
          const entry = { type: 'ConsumeCredits' as const, transactionId, units: units(BigInt(wanted)), metadata }
          return () => enter(services, context, of, entry, 0n)
        }),
        TE.map(({ product, entered }) => creditBalanceResource(product.row.details, entered.balance)),
      ),
    transaction: (scope, of, id) =>
      pipe(
        soldTo(scope, of),
        TE.chainFirstTaskK(() => () => caughtUp.withOwnWrites(scope.merchantId)),
        TE.chainEitherKW(() => {
          const found = readModels.creditTransactions.withId(id)
          const isOwn = found !== null && isIn(scope, found) && found.row.account === accountName(of)
          return isOwn ? E.right(creditTransactionResource(found)) : E.left(notFound)
        }),
      ),
    transactions: (page, of) =>
      pipe(
        soldTo(page, of),
        TE.chainTaskK(
          () => () =>
            listed(
              services,
              readModels.creditTransactions,
              { ...page, listedUnder: accountName(of) },
              creditTransactionResource,
            ),
        ),
      ),
  }
}

const notFound: TransactionNotFound = { _tag: 'CreditTransactionNotFound' }
