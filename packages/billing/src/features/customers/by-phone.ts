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
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { createdId, derivedCommandId } from '../../kernel/derive.ts'
import { type CommandContext, type Executed, type ExecuteFailure, execute } from '../../kernel/execute.ts'
import { retrieve } from '../../kernel/load.ts'
import type { Profile } from '../../resources/profile.ts'
import type { Services } from '../../services/services.ts'
import { type CustomerFailure, createAs } from './create.ts'

/** More often than this nobody loses the same race. */
const mostTries = 5

/**
 * The one customer that everybody makes who asks for a phone number nobody has yet. The number's reservation says which
 * id that is; whoever reads it there creates the customer, if the one who wrote it has not done so. A reservation whose
 * customer has since lost the number or was deleted passes to a new id. A phone number is not unique otherwise.
 */
export const customerByPhone =
  (services: Services) =>
  (
    context: CommandContext,
    hash: KeyedHash,
    profile: Profile,
  ): TE.TaskEither<CustomerFailure, { readonly id: string }> => {
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

    const attempt = async (tries: number): Promise<E.Either<CustomerFailure, { readonly id: string }>> => {
      const claimed = await reserve('claim phone', { type: 'Claim', owner })
      const seen = holderOf(claimed, own)
      if (E.isLeft(seen)) return seen
      const { holder, generation } = seen.right
      const found = await retrieve(store)(model, holder, context)
      if (E.isLeft(found)) return found
      if (O.exists(hasPhone(hash))(found.right)) return E.right({ id: holder })
      if (O.isNone(found.right)) {
        const created = await createAs(services, context, profile, holder)()
        if (E.isRight(created)) return created
        if (created.left._tag !== 'CustomerAlreadyExists' && created.left._tag !== 'CustomerIsAbandoned') return created
        if (created.left._tag === 'CustomerAlreadyExists' && tries > 0) return attempt(tries - 1)
      }
      if (tries === 0) return E.left({ _tag: 'TooManyConflicts', stream: `${Reservation.category}-${hash}` })
      const taken = await reserve(`take phone over from ${holder}`, { type: 'TakeOver', owner, generation })
      return E.isLeft(taken) && isFailure(taken.left) ? E.left(taken.left) : attempt(tries - 1)
    }
    return () => attempt(mostTries)
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
