import {
  Customer,
  CustomerId,
  type CustomerRejection,
  type MetadataRejection,
  mergeMetadata,
  metadataValues,
  noMetadata,
  Reservation,
} from '@quittance/domain'
import { type CustomerRow, type Found, customers as model } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { createdId } from '../../kernel/derive.ts'
import { type CommandContext, type ExecuteFailure, execute } from '../../kernel/execute.ts'
import { rowAfter, stateOf, unlessDone } from '../../kernel/load.ts'
import { type Profile, sealProfile } from '../../resources/profile.ts'
import type { Services } from '../../services/services.ts'
import { claimEmail, type EmailTaken } from './claim-email.ts'
import type { EmailRepeated, NewCustomer } from './judge-batch.ts'
import { emailHash, phoneHash } from './look-up.ts'

export type CustomerFailure = ExecuteFailure | CustomerRejection | MetadataRejection | EmailTaken | EmailRepeated

type Created = Promise<E.Either<CustomerFailure, Found<CustomerRow>>>

const mostSpentIds = 3
/** A batch creates at most 100 customers; further ordinals replace abandoned ids. */
const idsPerBatch = 100

/**
 * Creates a customer with an email that no other customer has in the account and environment. `ordinal` distinguishes
 * the customers of one command.
 */
export const createCustomer = async (
  services: Pick<Services, 'store' | 'vault'>,
  context: CommandContext,
  customer: NewCustomer,
  ordinal: number,
): Created => {
  const metadata = mergeMetadata(noMetadata, customer.metadata ?? {}, 'text')
  if (E.isLeft(metadata)) return metadata
  const values = decodeOrThrow(t.record(t.string, t.string), metadataValues(metadata.right))
  const profile = { ...customer, metadata: values }
  for (let spent = 0; ; spent++) {
    const id = createdId(CustomerId, context.at, context.commandId, ordinal + spent * idsPerBatch)
    const created = await unlessDone(services.store, context)(model, id, () => createAs(services, context, profile, id))
    // Another claimant of the email has fenced this id: the next derived id is as good.
    const isSpent = E.isLeft(created) && created.left._tag === 'CustomerIsAbandoned'
    if (!isSpent || spent === mostSpentIds) return created
  }
}

/** The email is claimed before the customer exists. Personal data is sealed before it reaches an event. */
export const createAs = async (
  { store, vault }: Pick<Services, 'store' | 'vault'>,
  context: CommandContext,
  profile: Profile,
  id: CustomerId,
): Created => {
  const hashOfEmail = profile.email === null ? null : await emailHash(vault, context, profile.email)
  const hashOfPhone = profile.phone === null ? null : await phoneHash(vault, context, profile.phone)
  if (hashOfEmail === null) await vault.prepare(id)()
  else {
    const reservation = await stateOf(store)(Reservation, hashOfEmail)
    if (E.isLeft(reservation)) return reservation
    // The key must exist before the claim: another claimant fences a customer that holds the email and does not exist.
    // A held email most likely belongs to an existing customer, which needs no key.
    if (reservation.right.state.status === 'free') await vault.prepare(id)()
    const claimed = await claimEmail({ store }, context, hashOfEmail, id)
    if (E.isLeft(claimed)) return claimed
  }
  const created = await execute(store)(Customer, id, context, async (state) => {
    const sealed = await sealProfile(vault, id, profile)
    // Another process has created this customer under the same key and deleted it since the state was read.
    if (O.isNone(sealed)) return E.left<CustomerRejection>({ _tag: 'CustomerAlreadyExists' })
    const hashes = { emailHash: hashOfEmail, phoneHash: hashOfPhone }
    return Customer.decider.decide({ type: 'CreateCustomer', profile: sealed.value, ...hashes })(state)
  })
  return E.map(rowAfter(model, id))(created)
}
