import { Customer, CustomerId } from '@quittance/domain'
import type { CustomerRow, Found, PageRequest, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { derivedCommandId } from '../../kernel/derive.ts'
import { type CommandContext, type ExecuteFailure, execute } from '../../kernel/execute.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { type CustomerResource, customerResource } from '../../resources/customer.ts'
import type { ProfilePatch } from '../../resources/profile.ts'
import { type Listing, listed } from '../../services/listing.ts'
import type { Services } from '../../services/services.ts'
import { customerByPhone } from './by-phone.ts'
import { type CustomerFailure, createCustomer } from './create.ts'
import { findCustomers, type Sought } from './find.ts'
import { judgeBatch, type NewCustomer } from './judge-batch.ts'
import { type CustomerNotFound, livingCustomer } from './living.ts'
import { phoneHash } from './look-up.ts'
import { type CustomerIsMerged, isMergedInto, type MergeCustomers, mergeCustomers } from './merge.ts'
import type { CustomerServices } from './services.ts'
import { updateCustomer } from './update.ts'

export interface Customers {
  /** Creates all customers, in order, or none if one of them cannot be created. */
  readonly createAll: (
    context: CommandContext,
    customers: ReadonlyArray<NewCustomer>,
  ) => TE.TaskEither<CustomerFailure, ReadonlyArray<CustomerResource>>
  readonly retrieve: (scope: Scope, id: string) => TE.TaskEither<StoreUnavailable | CustomerNotFound, CustomerResource>
  readonly list: (page: PageRequest) => T.Task<Listing<CustomerResource>>
  /** As `list`, of those with this email and this phone number; null is any. Both are compared by keyed hashes. */
  readonly find: (page: PageRequest, who: Sought) => TE.TaskEither<StoreUnavailable, Listing<CustomerResource>>
  /** Changes the given fields and leaves the rest: see `ProfilePatch`. */
  readonly update: (
    context: CommandContext,
    id: string,
    patch: ProfilePatch,
  ) => TE.TaskEither<CustomerFailure, CustomerResource>
  /** Erases the person: with a customer, those that were merged into it. Errors: `CustomerIsMerged` for one of these. */
  readonly remove: (context: CommandContext, id: string) => TE.TaskEither<CustomerFailure | CustomerIsMerged, void>
  readonly merge: MergeCustomers
  /**
   * The customer with that id, else email, else phone; created if there is none. Null without any of them. Of merged
   * customers, the one that remains.
   */
  readonly resolve: (
    context: CommandContext,
    wanted: WantedCustomer,
  ) => TE.TaskEither<CustomerFailure, CustomerId | null>
}

export type WantedCustomer = {
  readonly id: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly name?: string | null
}

/** Cancels all subscriptions of a customer. Repeated, it changes nothing. */
type CancelSubscriptions = (context: CommandContext, customerId: string) => Promise<E.Either<ExecuteFailure, void>>

export const customers = (services: CustomerServices, cancelSubscriptions: CancelSubscriptions): Customers => {
  const { readModels, vault } = services
  const shown = customerResource(vault)
  const show = (found: Found<CustomerRow>) => shown(found, readModels.customerFamily)
  const shownAs = TE.chainTaskK((found: Found<CustomerRow>) => () => show(found))
  return {
    createAll: (context, wanted) => async () => {
      const judged = await judgeBatch(services, context, wanted)
      if (E.isLeft(judged)) return judged
      const created: Array<CustomerResource> = []
      for (const [ordinal, customer] of wanted.entries()) {
        const made = await createCustomer(services, context, customer, ordinal)
        if (E.isLeft(made)) return made
        created.push(await show(made.right))
      }
      return E.right(created)
    },
    retrieve: (scope, id) => shownAs(() => livingCustomer(services, scope, id)),
    list: (page) => () => listed(services, readModels.customers, { ...page, status: 'living' }, show),
    find: findCustomers(services),
    update: (context, id, patch) => shownAs(() => updateCustomer(services, context, id, patch)),
    remove: (context, id) => () => remove(services, cancelSubscriptions, context, id),
    merge: mergeCustomers(services),
    resolve: (context, wanted) => async () => {
      const found = await resolve(services, context, wanted)
      if (E.isLeft(found)) return found
      if (found.right === null) return E.right(null)
      return E.right(decodeOrThrow(CustomerId, await readModels.customerFamily.remaining(found.right.id)))
    },
  }
}

/**
 * The customer that remains is the first, so that the sweep goes on with the others after a crash: they go with it. A
 * customer cannot be deleted by the id of one that was merged into it: whoever deletes should know what ends.
 */
const remove = async (
  services: Pick<Services, 'store' | 'vault' | 'readModels' | 'caughtUp'>,
  cancelSubscriptions: CancelSubscriptions,
  context: CommandContext,
  id: string,
): Promise<E.Either<CustomerFailure | CustomerIsMerged, void>> => {
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const [remaining = id, ...merged] = await services.readModels.customerFamily.allOf(id)
  if (remaining !== id) return E.left(isMergedInto(id, remaining))
  const removed = await removeOne(services, cancelSubscriptions, context, id)
  if (E.isLeft(removed)) return removed
  const { alongside: _, answeredFrom: __, answerFrom: ___, isFirstRun: ____, ...own } = context
  for (const each of merged) {
    const commandId = derivedCommandId(context.commandId, `delete ${each}`)
    const also = await removeOne(services, cancelSubscriptions, { ...own, commandId }, each)
    if (E.isLeft(also)) return also
  }
  return E.right(undefined)
}

const removeOne = async (
  { store, vault }: Pick<Services, 'store' | 'vault'>,
  cancelSubscriptions: CancelSubscriptions,
  context: CommandContext,
  id: string,
): Promise<E.Either<CustomerFailure, void>> => {
  // Before the deletion, so that a crash leaves no deleted customer with a subscription; and after it, for later ones.
  const canceled = await cancelSubscriptions(context, id)
  if (E.isLeft(canceled)) return canceled
  const decide = Customer.decider.decide({ type: 'DeleteCustomer' })
  const deleted = await execute(store)(Customer, id, context, decide)
  if (E.isLeft(deleted)) return deleted
  const canceledSince = await cancelSubscriptions(context, id)
  if (E.isLeft(canceledSince)) return canceledSince
  await vault.erase(id)
  return E.right(undefined)
}

const resolve = async (
  services: CustomerServices,
  context: CommandContext,
  { id, email, phone, name = null }: WantedCustomer,
): Promise<E.Either<CustomerFailure, { readonly id: string } | null>> => {
  if (id !== null) return livingCustomer(services, context, id)
  const profile = { email, name, phone, image: null, metadata: {} }
  if (email !== null) {
    const created = await createCustomer(services, context, profile, 0)
    const isTaken = E.isLeft(created) && created.left._tag === 'EmailTaken'
    return isTaken ? E.right({ id: created.left.customerId }) : created
  }
  if (phone === null) return E.right(null)
  const { vault, caughtUp, readModels } = services
  const hash = await phoneHash(vault, context, phone)
  await caughtUp.withOwnWrites(context.merchantId)
  const [oldest] = await readModels.customers.withKey(hash)
  return oldest === undefined ? customerByPhone(services, context, hash, profile) : E.right(oldest)
}
