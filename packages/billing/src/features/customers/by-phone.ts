import {
  asText,
  CustomerId,
  type KeyedHash,
  Reservation,
  type ReservationRejection,
  type ReservationState,
} from '@quittance/domain'
import { type CustomerRow, type Found, customers as model } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { createdId, derivedCommandId } from '../../kernel/derive.ts'
import { type CommandContext, type Executed, type ExecuteFailure, execute } from '../../kernel/execute.ts'
import { retrieve } from '../../kernel/load.ts'
import type { Profile } from '../../resources/profile.ts'
import type { Services } from '../../services/services.ts'
import { type CustomerFailure, createAs } from './create.ts'

/** How often a lost race is repeated. */
const mostTries = 5

/**
 * The one customer that concurrent requests create for a new phone number. The number's reservation holds the
 * customer's id; each request that reads the id creates that customer, unless another has done so. If that customer has
 * another number by now or was deleted, the reservation passes to a new id. Phone numbers are not unique otherwise.
 */
export const customerByPhone = async (
  services: Pick<Services, 'store' | 'vault'>,
  context: CommandContext,
  hash: KeyedHash,
  profile: Profile,
): Promise<E.Either<CustomerFailure, { readonly id: string }>> => {
  const { store } = services
  const reserve = (step: string, decide: Parameters<typeof Reservation.decider.decide>[0]) =>
    execute(store)(
      Reservation,
      hash,
      { ...context, commandId: derivedCommandId(context.commandId, `${step} ${hash}`) },
      Reservation.decider.decide(decide),
    )
  const own = createdId(CustomerId, context.at, context.commandId)
  const owner = asText(own)
  for (let tries = mostTries; ; tries--) {
    const claimed = await reserve('claim phone', { type: 'Claim', owner })
    const seen = holderOf(claimed, own)
    if (E.isLeft(seen)) return seen
    const { holder, generation } = seen.right
    const found = await retrieve(store)(model, holder, context)
    if (E.isLeft(found)) return found
    if (O.exists(hasPhone(hash))(found.right)) return E.right({ id: holder })
    if (O.isNone(found.right)) {
      const created = await createAs(services, context, profile, holder)
      if (E.isRight(created)) return created
      if (created.left._tag !== 'CustomerAlreadyExists' && created.left._tag !== 'CustomerIsAbandoned') return created
      if (created.left._tag === 'CustomerAlreadyExists' && tries > 0) continue
    }
    if (tries === 0) return E.left({ _tag: 'TooManyConflicts', stream: `${Reservation.category}-${hash}` })
    const taken = await reserve(`take phone over from ${holder}`, { type: 'TakeOver', owner, generation })
    if (E.isLeft(taken) && isFailure(taken.left)) return E.left(taken.left)
  }
}

const hasPhone =
  (hash: KeyedHash) =>
  ({ row }: Found<CustomerRow>): boolean =>
    row.status === 'living' && row.record.phoneHash === hash

const isFailure = (left: ExecuteFailure | ReservationRejection): left is ExecuteFailure =>
  left._tag !== 'HeldBy' && left._tag !== 'NotHeld'

const holderOf = (
  claimed: E.Either<ExecuteFailure | ReservationRejection, Executed<ReservationState>>,
  own: CustomerId,
): E.Either<ExecuteFailure, { readonly holder: CustomerId; readonly generation: number }> => {
  if (E.isRight(claimed)) return E.right({ holder: own, generation: claimed.right.state.generation })
  if (isFailure(claimed.left)) return E.left(claimed.left)
  if (claimed.left._tag === 'NotHeld') throw new Error('a claim needs no holder')
  const { owner, generation } = claimed.left
  return E.right({ holder: decodeOrThrow(CustomerId, owner), generation })
}
