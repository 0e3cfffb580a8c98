import { CustomerId, CustomerMerges, type CustomerMergesRejection, type Text } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { filterInTurn, findInTurn, someInTurn } from '../../kernel/checks-in-turn.ts'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { type CommandContext, type ExecuteFailure, execute } from '../../kernel/execute.ts'
import type { Services } from '../../services/services.ts'
import { type CustomerNotFound, livingCustomer } from './living.ts'
import { livingSubscriptions } from './living-subscriptions.ts'
import type { CustomerServices } from './services.ts'

export type CustomerIsMerged = Extract<CustomerMergesRejection, { readonly _tag: 'CustomerIsMerged' }>
/** Both customers have a subscription of a product that goes on, and the product allows only one. */
export type SubscribedTwice = { readonly _tag: 'SubscribedTwice'; readonly subscriptionIds: ReadonlyArray<string> }

export type MergeFailure = ExecuteFailure | CustomerMergesRejection | CustomerNotFound | SubscribedTwice

/** `from` ends as a customer of its own; `into` remains. `by` is who says that both are one person. */
type Merge = { readonly from: string; readonly into: string; readonly by: Text; readonly reason: Text }

export type CustomerMergeResource = {
  readonly object: 'customer_merge'
  readonly customer_id: string
  readonly merged_customer_id: string
}

/** For ever: there is no way back. */
export type MergeCustomers = (
  context: CommandContext,
  merge: Merge,
) => TE.TaskEither<MergeFailure, CustomerMergeResource>

export const isMergedInto = (customerId: string, into: string): CustomerIsMerged => ({
  _tag: 'CustomerIsMerged',
  customerId: decodeOrThrow(CustomerId, customerId),
  into: decodeOrThrow(CustomerId, into),
})

/**
 * Makes two customers one. It is one event: everything that asks for a customer asks for all who are the same person. So a
 * crash leaves nothing half done, and two merges at once are decided one after the other.
 */
export const mergeCustomers =
  (services: CustomerServices): MergeCustomers =>
  (context, { from, into, by, reason }) =>
  async () => {
    const caught = await services.caughtUp.withLog()
    if (E.isLeft(caught)) return caught
    for (const id of [from, into]) {
      const customer = await livingCustomer(services, context, id)
      if (E.isLeft(customer)) return customer
      // An older log may believe that an erased customer lives.
      if ((await services.vault.erased()).includes(id)) return E.left({ _tag: 'CustomerNotFound' })
    }
    const twice = await subscribedTwice(services, context, from, into)
    if (E.isLeft(twice)) return twice
    const merge = { from: decodeOrThrow(CustomerId, from), into: decodeOrThrow(CustomerId, into), by, reason }
    const decide = CustomerMerges.decider.decide({ type: 'MergeCustomers', ...merge })
    const merged = await execute(services.store)(CustomerMerges, mergesId(context), context, decide)
    if (E.isLeft(merged)) return merged
    // Whoever is answered finds both as one.
    const known = await services.caughtUp.withLog()
    if (E.isLeft(known)) return known
    return E.right({ object: 'customer_merge', customer_id: into, merged_customer_id: from })
  }

/** The id of the stream of a merchant's merges. */
export const mergesId = ({ merchantId, environment }: Scope): string => `${merchantId}/${environment}`

const subscribedTwice = async (
  services: Pick<Services, 'readModels' | 'caughtUp'>,
  context: CommandContext,
  from: string,
  into: string,
): Promise<E.Either<ExecuteFailure | SubscribedTwice, void>> => {
  const { customerFamily, products } = services.readModels
  if ((await customerFamily.remaining(from)) === (await customerFamily.remaining(into))) return E.right(undefined)
  const theirs = await livingSubscriptions(services, context, from, context.at)
  if (E.isLeft(theirs)) return theirs
  const own = await livingSubscriptions(services, context, into, context.at)
  if (E.isLeft(own)) return own
  const productsOf = ({ row: { terms, pendingSwap } }: (typeof own.right)[number]) =>
    filterInTurn(
      [terms.productId, ...(pendingSwap === null ? [] : [pendingSwap.terms.productId])],
      async (id) => (await products.withId(id))?.row.details.allowsMultipleSubscriptions !== true,
    )
  for (const one of theirs.right) {
    const other = await findInTurn(own.right, async (each) =>
      someInTurn(await productsOf(each), async (id) => (await productsOf(one)).includes(id)),
    )
    if (other !== undefined) return E.left({ _tag: 'SubscribedTwice', subscriptionIds: [one.id, other.id] })
  }
  return E.right(undefined)
}
