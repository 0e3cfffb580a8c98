import {
  asText,
  Customer,
  type CustomerEvent,
  CustomerId,
  type CustomerRejection,
  type CustomerState,
  type KeyedHash,
  type MetadataRejection,
  Reservation,
} from '@quittance/domain'
import { type CustomerRow, type Found, customers as model } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { derivedCommandId } from '../../kernel/derive.ts'
import { type CommandContext, type ExecuteFailure, execute } from '../../kernel/execute.ts'
import { isIn, rowAfter, rowFrom, type StoreUnavailable, stateOf, unlessDone } from '../../kernel/load.ts'
import { changedProfile, openProfile, type ProfilePatch, sealProfile } from '../../resources/profile.ts'
import type { Services } from '../../services/services.ts'
import { claimEmail, type EmailTaken } from './claim-email.ts'
import { emailHash, phoneHash } from './look-up.ts'

type UpdateFailure = ExecuteFailure | CustomerRejection | MetadataRejection | EmailTaken
type Active = Extract<CustomerState, { readonly status: 'active' }>

/** The fields to change, and the keyed hashes for look-ups; undefined leaves a field. */
type Change = {
  readonly patch: ProfilePatch
  readonly email: KeyedHash | null | undefined
  readonly phone: KeyedHash | null | undefined
}

/** How often a lost race is repeated. */
const mostTries = 5

/**
 * Changes the given fields of a customer. A new email is claimed before the write, and the old one is released
 * afterwards. In between, another claimant may take the email and fence the customer, or another request may change the
 * email: then the write is refused, and everything is tried again.
 */
export const updateCustomer = async (
  services: Pick<Services, 'store' | 'vault'>,
  context: CommandContext,
  id: string,
  patch: ProfilePatch,
): Promise<E.Either<UpdateFailure | StoreUnavailable, Found<CustomerRow>>> => {
  const { store, vault } = services
  const change: Change = {
    patch,
    email: patch.email == null ? patch.email : await emailHash(vault, context, patch.email),
    phone: patch.phone == null ? patch.phone : await phoneHash(vault, context, patch.phone),
  }
  return unlessDone(store, context)(model, id, async () => {
    for (let tries = mostTries; ; tries--) {
      const updated = await attempt(services, context, id, change)
      if (E.isRight(updated) || updated.left._tag !== 'EmailClaimOutdated' || tries === 0) return updated
    }
  })
}

const attempt = async (
  services: Pick<Services, 'store' | 'vault'>,
  context: CommandContext,
  id: string,
  change: Change,
): Promise<E.Either<UpdateFailure | StoreUnavailable, Found<CustomerRow>>> => {
  const { store } = services
  const read = await activeCustomer(services, context, id)
  if (E.isLeft(read)) return read
  const { emailRevision, record } = read.right
  const decide = decided(services, id, change, emailRevision)
  // Checked first, so that a change that is rejected for another reason claims no email.
  const judged = await decide(read.right)
  if (E.isLeft(judged)) return judged
  const released = change.email === undefined || change.email === record.emailHash ? null : record.emailHash
  // Read before the change: the customer may claim the email again after it.
  const reservation = released === null ? null : await stateOf(store)(Reservation, released)
  if (reservation !== null && E.isLeft(reservation)) return reservation
  if (change.email != null && change.email !== record.emailHash) {
    const claimed = await claimEmail(services, context, change.email, decodeOrThrow(CustomerId, id))
    if (E.isLeft(claimed)) return claimed
  }
  const executed = await execute(store)(Customer, id, context, decide)
  if (E.isLeft(executed)) return executed
  if (released !== null && reservation !== null) {
    // If a crash prevents this, the next claimant of the email takes it over.
    const { generation } = reservation.right.state
    const own = { ...context, commandId: derivedCommandId(context.commandId, `release ${released} ${generation}`) }
    const release = Reservation.decider.decide({ type: 'Release', owner: asText(id), generation })
    await execute(store)(Reservation, released, own, release)
  }
  return E.right(rowAfter(model, id)(executed.right))
}

const activeCustomer = async (
  { store }: Pick<Services, 'store'>,
  context: CommandContext,
  id: string,
): Promise<E.Either<StoreUnavailable | CustomerRejection, Active>> => {
  const customer = await stateOf(store)(Customer, id)
  if (E.isLeft(customer)) return customer
  const { events, state } = customer.right
  const isOwn = O.exists((found: Found<CustomerRow>) => isIn(context, found))(rowFrom(model, id, events))
  return isOwn && state.status === 'active' ? E.right(state) : E.left({ _tag: 'CustomerNotFound' })
}

/** The profile is sealed as a whole, so a change is merged into the profile of the state that it is decided on. */
const decided =
  ({ vault }: Pick<Services, 'vault'>, id: string, { patch, email, phone }: Change, revision: number) =>
  async (
    state: CustomerState,
  ): Promise<E.Either<CustomerRejection | MetadataRejection, ReadonlyArray<CustomerEvent>>> => {
    if (state.status !== 'active') return Customer.decider.decide({ type: 'UpdateCustomer' })(state)
    const profile = unlessErased(await openProfile(vault, id, state.record.profile))
    if (E.isLeft(profile)) return profile
    const changed = changedProfile(profile.right, patch)
    if (E.isLeft(changed)) return changed
    const sealed = changed.right === null ? E.right(null) : unlessErased(await sealProfile(vault, id, changed.right))
    if (E.isLeft(sealed)) return sealed
    return Customer.decider.decide({
      type: 'UpdateCustomer',
      ...(sealed.right !== null && { profile: sealed.right }),
      ...(email !== undefined && { email: { hash: email, revision } }),
      ...(phone !== undefined && { phoneHash: phone }),
    })(state)
  }

/** The key is gone: another process may have deleted the customer since the state was read. */
const unlessErased: <A>(found: O.Option<A>) => E.Either<CustomerRejection, A> = E.fromOption(() => ({
  _tag: 'CustomerIsDeleted',
}))
