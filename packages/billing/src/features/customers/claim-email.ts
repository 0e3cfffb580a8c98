import { asText, Customer, type CustomerId, type KeyedHash, Reservation } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { derivedCommandId } from '../../kernel/derive.ts'
import type { CommandContext, ExecuteFailure } from '../../kernel/execute.ts'
import { stateOf } from '../../kernel/load.ts'
import { stepUnless } from '../../kernel/step.ts'
import type { Services } from '../../services/services.ts'

export type EmailTaken = { readonly _tag: 'EmailTaken'; readonly customerId: string }

/** How often a lost race is repeated. */
const mostTries = 5

/**
 * Reserves an email for a customer that is about to be written. A holder that does not have the email (it crashed
 * before the write, or has given the email up) is fenced first: a mark on its stream makes a late write fail. Then the
 * reservation is taken over, unless it has changed since it was read. The customer's own earlier reservation is renewed
 * too, so that nobody who read the old one can take it.
 */
export const claimEmail = async (
  { store }: Pick<Services, 'store'>,
  context: CommandContext,
  hash: KeyedHash,
  customerId: CustomerId,
): Promise<E.Either<EmailTaken | ExecuteFailure, void>> => {
  const owner = asText(customerId)
  for (let tries = 0; tries <= mostTries; tries++) {
    const reservation = await stateOf(store)(Reservation, hash)
    if (E.isLeft(reservation)) return reservation
    const { state } = reservation.right
    const { status, generation } = state
    // The id contains the generation: the command's effect on another generation says nothing about this one.
    const commandId = derivedCommandId(context.commandId, `claim ${hash} ${customerId} ${generation}`)
    const own = { ...context, commandId }
    if (status !== 'free' && state.owner !== owner) {
      const forfeit = Customer.decider.decide({ type: 'ForfeitEmail', emailHash: hash })
      const fenced = await stepUnless(store)(['EmailStillHeld'], Customer, state.owner, own, forfeit)
      if (E.isLeft(fenced)) return fenced
      if (fenced.right === null) return E.left({ _tag: 'EmailTaken', customerId: state.owner })
    }
    const take =
      status === 'free' ? { type: 'Claim' as const, owner } : { type: 'TakeOver' as const, owner, generation }
    const held = await stepUnless(store)(
      ['HeldBy', 'NotHeld'],
      Reservation,
      hash,
      own,
      Reservation.decider.decide(take),
    )
    if (E.isLeft(held)) return held
    if (held.right !== null) return E.right(undefined)
  }
  return E.left({ _tag: 'TooManyConflicts', stream: `${Reservation.category}-${hash}` })
}
