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
import type * as TE from 'fp-ts/lib/TaskEither.js'
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
import { accountsOf, balanceOf, type EntryFailure, enter, enteredBefore } from './books.ts'

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
export const customerCredits = (services: Pick<Services, 'store' | 'readModels' | 'caughtUp'>): CustomerCredits => {
  const { readModels, caughtUp } = services
  const soldTo = (scope: Scope, { customerId, productId }: BooksOf) =>
    customerAndProduct(services, scope, customerId, productId)
  return {
    retrieve: (scope, of) => async () => {
      const product = await soldTo(scope, of)
      if (E.isLeft(product)) return product
      const balance = await balanceOf(services, scope, of)
      return E.isLeft(balance) ? balance : E.right(creditBalanceResource(product.right.row.details, balance.right))
    },
    consume: (context, of, consumption) => () => consume(services, context, of, consumption),
    transaction: (scope, of, id) => async () => {
      const product = await soldTo(scope, of)
      if (E.isLeft(product)) return product
      await caughtUp.withOwnWrites(scope.merchantId)
      const found = await readModels.creditTransactions.withId(id)
      const isOwn =
        found !== null &&
        isIn(scope, found) &&
        (await accountsOf(services, of)).some((account) => accountName(account) === found.row.account)
      return isOwn ? E.right(creditTransactionResource(found)) : E.left({ _tag: 'CreditTransactionNotFound' })
    },
    transactions: (page, of) => async () => {
      const product = await soldTo(page, of)
      if (E.isLeft(product)) return product
      const ofAccount = { ...page, listedUnder: accountName(of) }
      return E.right(await listed(services, readModels.creditTransactions, ofAccount, creditTransactionResource))
    },
  }
}

const consume = async (
  services: Pick<Services, 'store' | 'readModels'>,
  context: CommandContext,
  of: BooksOf,
  { units: wanted, metadata: given }: Consumption,
): Promise<E.Either<ConsumeFailure, CreditBalanceResource>> => {
  const before = await enteredBefore(services, context, of, 0n)
  if (E.isLeft(before)) return before
  if (before.right !== null) {
    // A repeated command is answered even if the customer was deleted since.
    const product = await existingProduct(services, context, of.productId)
    return E.isLeft(product) ? product : E.right(creditBalanceResource(product.right.row.details, before.right.balance))
  }
  const product = await customerAndProduct(services, context, of.customerId, of.productId)
  if (E.isLeft(product)) return product
  const metadata = mergeMetadata(noMetadata, given ?? {})
  if (E.isLeft(metadata)) return metadata
  const transactionId = createdId(CreditTransactionId, context.at, context.commandId)
  const entry = {
    type: 'ConsumeCredits' as const,
    transactionId,
    units: units(BigInt(wanted)),
    metadata: metadata.right,
  }
  const entered = await enter(services, context, of, entry, 0n)
  if (E.isLeft(entered)) return entered
  return E.right(creditBalanceResource(product.right.row.details, entered.right.balance))
}
