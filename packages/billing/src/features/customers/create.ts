import {
  Customer,
  CustomerId,
  type CustomerRejection,
  type KeyedHash,
  type MetadataRejection,
  mergeMetadata,
  metadataValues,
  noMetadata,
  type ReservationState,
} from '@quittance/domain'
import { type CustomerRow, type Found, customers as model } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { createdId } from '../../kernel/derive.ts'
import { type CommandContext, type ExecuteFailure, executeLater } from '../../kernel/execute.ts'
import { rowAfter, type StoreUnavailable, unlessDoneLater } from '../../kernel/load.ts'
import { type Profile, sealProfile } from '../../resources/profile.ts'
import type { Services } from '../../services/services.ts'
import { claimEmail, type EmailTaken, emailReservation } from './claim-email.ts'
import type { EmailRepeated, NewCustomer } from './judge-batch.ts'
import { emailHash, phoneHash } from './look-up.ts'

export type CustomerFailure = ExecuteFailure | CustomerRejection | MetadataRejection | EmailTaken | EmailRepeated

type Created = TE.TaskEither<CustomerFailure, Found<CustomerRow>>

const mostSpentIds = 3
/** A batch creates at most 100; further ordinals are for ids that replace spent ones. */
const idsPerBatch = 100

/**
 * Creates a customer, whose email nobody else has in the account and environment. `ordinal` tells apart the customers
 * that one command creates.
 */
export const createCustomer =
  (services: Services) =>
  (context: CommandContext, customer: NewCustomer, ordinal: number): Created => {
    // An id that another claimant of the email has fenced is spent: the next one is as good, and derived as well.
    const attempt = (profile: Profile, spent: number): Created => {
      const id = createdId(CustomerId, context.at, context.commandId, ordinal + spent * idsPerBatch)
      return pipe(
        unlessDoneLater(services.store, context)(model, id, createAs(services, context, profile, id)),
        TE.orElse((failure) =>
          failure._tag === 'CustomerIsAbandoned' && spent < mostSpentIds
            ? attempt(profile, spent + 1)
            : TE.left(failure),
        ),
      )
    }
    return pipe(
      TE.fromEither(mergeMetadata(noMetadata, customer.metadata ?? {}, 'text')),
      TE.chain((metadata) => {
        const values = decodeOrThrow(t.record(t.string, t.string), metadataValues(metadata))
        return attempt({ ...customer, metadata: values }, 0)
      }),
    )
  }

/** The email is this customer's before the customer is; personal data is sealed before it reaches an event. */
export const createAs = (services: Services, context: CommandContext, profile: Profile, id: CustomerId): Created => {
  const { store, vault } = services
  const hashOfEmail = profile.email === null ? null : emailHash(vault, context, profile.email)
  const hashOfPhone = profile.phone === null ? null : phoneHash(vault, context, profile.phone)
  return pipe(
    hashOfEmail === null ? TE.right(true) : isFree(services, hashOfEmail),
    // Before the claim: who has the email and not yet the customer is fenced by whoever else wants it.
    TE.chainFirstTaskK((isNew) => (isNew ? vault.prepare(id) : T.of(undefined))),
    TE.chainW(() => (hashOfEmail === null ? TE.right(undefined) : claimEmail(services)(context, hashOfEmail, id))),
    TE.chainW(() =>
      executeLater(store)(Customer, id, context, (state) =>
        pipe(
          sealProfile(vault, id, profile),
          // Under the same key another process has made this customer, and deleted it, since the state was read.
          E.fromOption((): CustomerRejection => ({ _tag: 'CustomerAlreadyExists' })),
          E.chain((sealed) =>
            Customer.decider.decide({
              type: 'CreateCustomer',
              profile: sealed,
              emailHash: hashOfEmail,
              phoneHash: hashOfPhone,
            })(state),
          ),
        ),
      ),
    ),
    TE.map(rowAfter(model, id)),
  )
}

/** Whether nobody holds an email at first sight: no key is made for a customer that is there already. */
const isFree = (services: Services, hash: KeyedHash): TE.TaskEither<StoreUnavailable, boolean> =>
  TE.map(({ status }: ReservationState) => status === 'free')(emailReservation(services, hash))
