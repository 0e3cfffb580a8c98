import { Customer, CustomerId } from '@quittance/domain'
import type { CustomerRow, Found, PageRequest, Scope } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { type CommandContext, type ExecuteFailure, executeLater } from '../../kernel/execute.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { type CustomerResource, customerResource } from '../../resources/customer.ts'
import type { ProfilePatch } from '../../resources/profile.ts'
import { type Listing, listed } from '../../services/listing.ts'
import type { Services } from '../../services/services.ts'
import { customerByPhone } from './by-phone.ts'
import { type CustomerFailure, createCustomer } from './create.ts'
import { judgeBatch, type NewCustomer } from './judge-batch.ts'
import { type CustomerNotFound, livingCustomer } from './living.ts'
import { phoneHash } from './look-up.ts'
import { updateCustomer } from './update.ts'

export interface Customers {
  /** All of them, in order, or none if one of them cannot be created. */
  readonly createAll: (
    context: CommandContext,
    customers: ReadonlyArray<NewCustomer>,
  ) => TE.TaskEither<CustomerFailure, ReadonlyArray<CustomerResource>>
  readonly retrieve: (scope: Scope, id: string) => TE.TaskEither<StoreUnavailable | CustomerNotFound, CustomerResource>
  readonly list: (page: PageRequest) => T.Task<Listing<CustomerResource>>
  /** Changes what is given and leaves the rest: see `ProfilePatch`. */
  readonly update: (
    context: CommandContext,
    id: string,
    patch: ProfilePatch,
  ) => TE.TaskEither<CustomerFailure, CustomerResource>
  readonly remove: (context: CommandContext, id: string) => TE.TaskEither<CustomerFailure, void>
  /** The customer of that id, else of that email, else of that phone; made where there is none. Null without any. */
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

/** Cancels all subscriptions of a customer; again, it changes nothing. */
type CancelSubscriptions = (context: CommandContext, customerId: string) => TE.TaskEither<ExecuteFailure, void>

/** The customers of a merchant. */
export const customers = (services: Services, cancelSubscriptions: CancelSubscriptions): Customers => {
  const { store, readModels, caughtUp, vault } = services
  const show = customerResource(vault)
  const create = createCustomer(services)
  const living = (by: Scope | CommandContext, id: string) => () => livingCustomer(services, by, id)

  const profileOf = ({ email, phone, name = null }: WantedCustomer) => ({
    email,
    name,
    phone,
    image: null,
    metadata: {},
  })

  const resolved = (
    context: CommandContext,
    wanted: WantedCustomer,
  ): TE.TaskEither<CustomerFailure, { readonly id: string } | null> => {
    if (wanted.id !== null) return living(context, wanted.id)
    if (wanted.email !== null) {
      return pipe(
        TE.map(({ id }: Found<CustomerRow>) => ({ id }))(create(context, profileOf(wanted), 0)),
        TE.orElse((failure) =>
          failure._tag === 'EmailTaken' ? TE.right({ id: failure.customerId }) : TE.left(failure),
        ),
      )
    }
    if (wanted.phone === null) return TE.right(null)
    const hash = phoneHash(vault, context, wanted.phone)
    return pipe(
      TE.fromTask(() => caughtUp.withOwnWrites(context.merchantId)),
      TE.chain(() => {
        const [oldest] = readModels.customers.withKey(hash)
        return oldest === undefined ? customerByPhone(services)(context, hash, profileOf(wanted)) : TE.right(oldest)
      }),
    )
  }

  return {
    createAll: (context, wanted) =>
      pipe(
        () => judgeBatch(services, context, wanted),
        TE.chainW(() => TE.sequenceSeqArray(wanted.map((customer, ordinal) => create(context, customer, ordinal)))),
        TE.map((created) => created.map(show)),
      ),
    retrieve: (scope, id) => TE.map(show)(living(scope, id)),
    list: (page) => () => listed(services, readModels.customers, { ...page, status: 'living' }, show),
    update: (context, id, patch) => TE.map(show)(updateCustomer(services)(context, id, patch)),
    remove: (context, id) =>
      pipe(
        // Before, so that a crash leaves nobody who is charged and cannot be found; and after, for what began meanwhile.
        cancelSubscriptions(context, id),
        TE.chainW(() =>
          executeLater(store)(Customer, id, context, Customer.decider.decide({ type: 'DeleteCustomer' })),
        ),
        TE.chainFirstW(() => cancelSubscriptions(context, id)),
        TE.map(() => vault.erase(id)),
      ),
    resolve: (context, wanted) =>
      TE.map((found: { readonly id: string } | null) => (found === null ? null : decodeOrThrow(CustomerId, found.id)))(
        resolved(context, wanted),
      ),
  }
}
