import {
  Customer,
  CustomerId,
  type CustomerRejection,
  type MetadataRejection,
  mergeMetadata,
  metadataValues,
  noMetadata,
} from '@quittance/domain'
import { type CustomerRow, type Found, customers as model, type PageRequest, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { decodeOrThrow } from '../decode.ts'
import { type CommandContext, type ExecuteFailure, execute } from '../execute.ts'
import { createdId } from '../identity/derive.ts'
import { retrieve, rowAfter, type StoreUnavailable } from '../load.ts'
import { type CustomerResource, customerResource } from '../resources/customer.ts'
import type { Services } from '../services.ts'
import { claimEmail, type EmailTaken } from './claim-email.ts'
import { type EmailRepeated, judgeBatch } from './judge-batch.ts'
import { emailHash, phoneHash } from './look-up.ts'
import { sealProfile } from './profile.ts'

export type NewCustomer = {
  readonly email: string | null
  readonly name: string | null
  readonly phone: string | null
  readonly image: string | null
  readonly metadata: unknown
}

export type CustomerNotFound = { readonly _tag: 'CustomerNotFound' }
export type CustomerFailure = ExecuteFailure | CustomerRejection | MetadataRejection | EmailTaken | EmailRepeated

export interface Customers {
  /** All of them, in order, or none if one of them cannot be created. */
  readonly createAll: (
    context: CommandContext,
    customers: ReadonlyArray<NewCustomer>,
  ) => TE.TaskEither<CustomerFailure, ReadonlyArray<CustomerResource>>
  readonly retrieve: (scope: Scope, id: string) => TE.TaskEither<StoreUnavailable | CustomerNotFound, CustomerResource>
  readonly list: (page: PageRequest) => {
    readonly resources: ReadonlyArray<CustomerResource>
    readonly hasMore: boolean
  }
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

/** Whom a merchant sells to. Personal data is sealed before it reaches an event. */
export const customers = (services: Services): Customers => {
  const { store, readModels, vault } = services
  const run = execute(store)
  const show = customerResource(vault)

  const living = (scope: Scope, id: string) =>
    pipe(
      retrieve(store)(model, id, scope),
      TE.map(O.filter((found: Found<CustomerRow>) => found.row.status === 'living')),
      TE.chainEitherKW(E.fromOption((): CustomerNotFound => ({ _tag: 'CustomerNotFound' }))),
    )

  const write =
    (context: CommandContext, customer: NewCustomer, ordinal: number) =>
    async (): Promise<E.Either<CustomerFailure, Found<CustomerRow>>> => {
      const metadata = mergeMetadata(noMetadata, customer.metadata ?? {}, 'text')
      if (E.isLeft(metadata)) return metadata
      const profile = {
        ...customer,
        metadata: decodeOrThrow(t.record(t.string, t.string), metadataValues(metadata.right)),
      }
      // An id that another claimant of the email has fenced is spent: the next one is as good, and derived as well.
      for (let spent = 0; ; spent++) {
        const id = createdId(CustomerId, context.at, context.commandId, ordinal + spent * idsPerBatch)
        const hash = customer.email === null ? null : emailHash(vault, context, customer.email)
        if (hash !== null) {
          const claimed = await claimEmail(services)(context, hash, id)()
          if (E.isLeft(claimed)) return claimed
        }
        const created = await run(Customer, id, context, (state) =>
          Customer.decider.decide({
            type: 'CreateCustomer',
            profile: sealProfile(vault, id, profile),
            emailHash: hash,
            phoneHash: customer.phone === null ? null : phoneHash(vault, context, customer.phone),
          })(state),
        )()
        if (E.isRight(created)) return E.right(rowAfter(model, id)(created.right))
        if (created.left._tag !== 'CustomerIsAbandoned' || spent === mostSpentIds) return created
      }
    }

  const byEmail = (context: CommandContext, wanted: WantedCustomer, email: string) =>
    pipe(
      write(context, { email, name: wanted.name ?? null, phone: wanted.phone, image: null, metadata: {} }, 0),
      TE.map(({ id }) => decodeOrThrow(CustomerId, id)),
      TE.orElseW((failure) =>
        failure._tag === 'EmailTaken' ? TE.right(decodeOrThrow(CustomerId, failure.customerId)) : TE.left(failure),
      ),
    )

  const byPhone = (context: CommandContext, wanted: WantedCustomer, phone: string) => {
    const [oldest] = readModels.customers.withKey(phoneHash(vault, context, phone))
    if (oldest !== undefined) return TE.right(decodeOrThrow(CustomerId, oldest.id))
    return pipe(
      write(context, { email: null, name: wanted.name ?? null, phone, image: null, metadata: {} }, 0),
      TE.map(({ id }) => decodeOrThrow(CustomerId, id)),
    )
  }

  return {
    createAll: (context, wanted) =>
      pipe(
        judgeBatch(services)(context, wanted),
        TE.chainW(() => TE.sequenceSeqArray(wanted.map((customer, ordinal) => write(context, customer, ordinal)))),
        TE.map((created) => created.map(show)),
      ),
    retrieve: (scope, id) => TE.map(show)(living(scope, id)),
    list: (page) => {
      const { rows, hasMore } = readModels.customers.page({ ...page, status: 'living' })
      return { resources: rows.map(show), hasMore }
    },
    remove: (context, id) =>
      pipe(
        run(Customer, id, context, Customer.decider.decide({ type: 'DeleteCustomer' })),
        TE.map(() => vault.erase(id)),
      ),
    resolve: (context, wanted): TE.TaskEither<CustomerFailure, CustomerId | null> => {
      if (wanted.id !== null)
        return TE.map(({ id }: { readonly id: string }) => decodeOrThrow(CustomerId, id))(living(context, wanted.id))
      if (wanted.email !== null) return byEmail(context, wanted, wanted.email)
      return wanted.phone === null ? TE.right(null) : byPhone(context, wanted, wanted.phone)
    },
  }
}

const mostSpentIds = 3
/** A batch creates at most 100; further ordinals are for ids that replace spent ones. */
const idsPerBatch = 100
