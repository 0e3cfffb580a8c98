import {
  asText,
  Customer,
  CustomerId,
  type CustomerRejection,
  type CustomerState,
  type KeyedHash,
  type MetadataRejection,
  Reservation,
} from '@quittance/domain'
import { type CustomerRow, type Found, customers as model } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { derivedCommandId } from '../../kernel/derive.ts'
import { type CommandContext, type ExecuteFailure, execute, executeLater, fold } from '../../kernel/execute.ts'
import { isIn, rowAfter, rowFrom, type StoreUnavailable, unlessDoneLater } from '../../kernel/load.ts'
import { changedProfile, openProfile, type ProfilePatch, sealProfile } from '../../resources/profile.ts'
import type { Services } from '../../services/services.ts'
import { claimEmail, type EmailTaken, emailReservation } from './claim-email.ts'
import { emailHash, phoneHash } from './look-up.ts'

type UpdateFailure = ExecuteFailure | CustomerRejection | MetadataRejection | EmailTaken
type Active = Extract<CustomerState, { readonly status: 'active' }>

/** What is to change, and the keyed hashes of what is looked up; undefined stays as it is. */
type Change = {
  readonly patch: ProfilePatch
  readonly email: KeyedHash | null | undefined
  readonly phone: KeyedHash | null | undefined
}

/** More often than this nobody loses the same race. */
const mostTries = 5

/**
 * Changes what is given of a customer and leaves the rest. A new email is claimed before it is written, and the old one
 * is freed afterwards. Between claim and write another may take the claim away, who then has fenced the customer, or
 * the email may be changed by someone else: the write is refused, and all of it is tried anew.
 */
export const updateCustomer =
  (services: Services) =>
  (
    context: CommandContext,
    id: string,
    patch: ProfilePatch,
  ): TE.TaskEither<UpdateFailure | StoreUnavailable, Found<CustomerRow>> => {
    const { store, vault } = services
    const change: Change = {
      patch,
      email: patch.email == null ? patch.email : emailHash(vault, context, patch.email),
      phone: patch.phone == null ? patch.phone : phoneHash(vault, context, patch.phone),
    }
    const attempt = async (tries: number): Promise<E.Either<UpdateFailure, Found<CustomerRow>>> => {
      const read = await living(services, context, id)()
      if (E.isLeft(read)) return read
      const { emailRevision, record } = read.right
      const decide = decided(services, id, change, emailRevision)
      // What cannot be done for another reason claims no email.
      const judged = decide(read.right)
      if (E.isLeft(judged)) return judged

      const isNewEmail = change.email !== undefined && change.email !== record.emailHash
      const release = await (isNewEmail ? releaseLater(services, context, id, record.emailHash) : TE.right(noRelease))()
      if (E.isLeft(release)) return release
      if (isNewEmail && change.email != null) {
        const claimed = await claimEmail(services)(context, change.email, decodeOrThrow(CustomerId, id))()
        if (E.isLeft(claimed)) return claimed
      }
      const executed = await execute(store)(Customer, id, context, decide)
      if (E.isLeft(executed)) {
        return executed.left._tag === 'EmailClaimOutdated' && tries > 0 ? attempt(tries - 1) : executed
      }
      await release.right()
      return E.right(rowAfter(model, id)(executed.right))
    }
    return unlessDoneLater(store, context)(model, id, () => attempt(mostTries))
  }

const living = (
  { store }: Services,
  context: CommandContext,
  id: string,
): TE.TaskEither<StoreUnavailable | CustomerRejection, Active> =>
  pipe(
    store.readStream(`${Customer.category}-${id}`),
    TE.chainEitherKW(({ events }): E.Either<CustomerRejection, Active> => {
      const state = fold(Customer, events)
      const isOwn = O.exists((found: Found<CustomerRow>) => isIn(context, found))(rowFrom(model, id, events))
      return isOwn && state.status === 'active' ? E.right(state) : E.left({ _tag: 'CustomerNotFound' })
    }),
  )

/** The profile is sealed as one, so a change lays itself over the profile of the very state that it is decided on. */
const decided =
  ({ vault }: Services, id: string, { patch, email, phone }: Change, revision: number) =>
  (state: CustomerState) => {
    if (state.status !== 'active') return Customer.decider.decide({ type: 'UpdateCustomer' })(state)
    return pipe(
      unlessErased(openProfile(vault, id, state.record.profile)),
      E.chainW((profile) => changedProfile(profile, patch)),
      E.chainW((changed) => (changed === null ? E.right(null) : unlessErased(sealProfile(vault, id, changed)))),
      E.chainW((sealed) =>
        Customer.decider.decide({
          type: 'UpdateCustomer',
          ...(sealed !== null && { profile: sealed }),
          ...(email !== undefined && { email: { hash: email, revision } }),
          ...(phone !== undefined && { phoneHash: phone }),
        })(state),
      ),
    )
  }

/** The key is gone: the customer was deleted since the state was read, maybe by another process. */
const unlessErased: <A>(found: O.Option<A>) => E.Either<CustomerRejection, A> = E.fromOption(() => ({
  _tag: 'CustomerIsDeleted',
}))

const noRelease = async (): Promise<unknown> => undefined

/**
 * Frees an email once its customer has given it up, unless the customer holds it anew: so the reservation is read
 * before the change. Where this does not come to pass, as after a crash, whoever claims the email takes it over.
 */
const releaseLater = (
  services: Services,
  context: CommandContext,
  id: string,
  hash: KeyedHash | null,
): TE.TaskEither<StoreUnavailable, () => Promise<unknown>> =>
  hash === null
    ? TE.right(noRelease)
    : pipe(
        emailReservation(services, hash),
        TE.map(({ generation }) =>
          executeLater(services.store)(
            Reservation,
            hash,
            { ...context, commandId: derivedCommandId(context.commandId, `release ${hash} ${generation}`) },
            Reservation.decider.decide({ type: 'Release', owner: asText(id), generation }),
          ),
        ),
      )
