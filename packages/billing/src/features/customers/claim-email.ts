import {
  asText,
  Customer,
  type CustomerId,
  type CustomerRejection,
  type KeyedHash,
  Reservation,
  type ReservationRejection,
  type ReservationState,
} from '@quittance/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { derivedCommandId } from '../../kernel/derive.ts'
import { type CommandContext, type ExecuteFailure, executeLater, fold } from '../../kernel/execute.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'

export type EmailTaken = { readonly _tag: 'EmailTaken'; readonly customerId: string }
type ClaimFailure = EmailTaken | ExecuteFailure

/** More often than this nobody loses the same race. */
const mostTries = 5

/** Who holds an email in one account and environment, as far as the reservation says. */
export const emailReservation = (
  { store }: Services,
  hash: KeyedHash,
): TE.TaskEither<StoreUnavailable, ReservationState> =>
  pipe(
    store.readStream(`${Reservation.category}-${hash}`),
    TE.map(({ events }) => fold(Reservation, events)),
  )

/**
 * Reserves an email for a customer that is about to be written. A holder that does not have the email (it crashed
 * before it wrote, or has given the email up) is fenced first: a mark on its stream makes the write that it may still
 * attempt fail. Only then is the reservation taken over, unless it has changed since it was read. A reservation that
 * the customer itself has left from before is held anew: whoever has seen the old one can no longer take it.
 */
export const claimEmail =
  (services: Services) =>
  (context: CommandContext, hash: KeyedHash, customerId: CustomerId): TE.TaskEither<ClaimFailure, void> => {
    const owner = asText(customerId)
    const attempt = (tries: number): TE.TaskEither<ClaimFailure, void> =>
      pipe(
        emailReservation(services, hash),
        TE.chainW((reservation) => {
          // What this command did to another generation says nothing about this one.
          const commandId = derivedCommandId(context.commandId, `claim ${hash} ${customerId} ${reservation.generation}`)
          const step = { ...context, commandId }
          return pipe(
            fenced(services, step, hash, reservation, owner),
            TE.chainW(() => held(services, step, hash, reservation, owner)),
          )
        }),
        TE.orElse((failure) => {
          if (failure._tag !== 'HeldBy' && failure._tag !== 'NotHeld') return TE.left(failure)
          return tries > 0 ? attempt(tries - 1) : TE.left({ _tag: 'TooManyConflicts', stream: `reservation-${hash}` })
        }),
      )
    return attempt(mostTries)
  }

/** Makes sure that another holder does not have the email, and cannot come to have it by this reservation. */
const fenced = (
  { store }: Services,
  step: CommandContext,
  emailHash: KeyedHash,
  reservation: ReservationState,
  owner: string,
): TE.TaskEither<ClaimFailure, unknown> => {
  if (reservation.status === 'free' || reservation.owner === owner) return TE.right(undefined)
  const holder = reservation.owner
  return pipe(
    executeLater(store)(Customer, holder, step, Customer.decider.decide({ type: 'ForfeitEmail', emailHash })),
    TE.mapLeft((failure) => (isFailure(failure) ? failure : { _tag: 'EmailTaken', customerId: holder })),
  )
}

const held = (
  { store }: Services,
  step: CommandContext,
  hash: KeyedHash,
  { status, generation }: ReservationState,
  owner: ReturnType<typeof asText>,
): TE.TaskEither<ReservationRejection | ExecuteFailure, void> =>
  TE.map(() => undefined)(
    executeLater(store)(
      Reservation,
      hash,
      step,
      Reservation.decider.decide(
        status === 'free' ? { type: 'Claim', owner } : { type: 'TakeOver', owner, generation },
      ),
    ),
  )

const isFailure = (failure: CustomerRejection | ExecuteFailure): failure is ExecuteFailure =>
  'stream' in failure || 'cause' in failure || failure._tag === 'ClaimLost'
