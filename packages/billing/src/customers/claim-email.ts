import { asText, Customer, type CustomerId, type KeyedHash, Reservation } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type CommandContext, type ExecuteFailure, execute } from '../execute.ts'
import { consequence } from '../identity/derive.ts'
import type { Services } from '../services.ts'

export type EmailTaken = { readonly _tag: 'EmailTaken'; readonly customerId: string }

/** More often than this nobody loses the same race. */
const mostTries = 5

/**
 * Reserves an email for a customer that is about to be written. A holder that does not have the email (it crashed
 * before it wrote, or has given the email up) is fenced first: a mark on its stream makes the write that it may still
 * attempt fail. Only then is the reservation taken over, so there is no moment in which two can win.
 */
export const claimEmail =
  ({ store }: Services) =>
  (
    context: CommandContext,
    hash: KeyedHash,
    customerId: CustomerId,
  ): TE.TaskEither<EmailTaken | ExecuteFailure, void> => {
    const run = execute(store)
    const step = (name: string): CommandContext => ({
      ...context,
      commandId: consequence(context.commandId, `${name} ${hash} ${customerId}`),
    })
    const owner = asText(customerId)
    const attempt = async (tries: number): Promise<E.Either<EmailTaken | ExecuteFailure, void>> => {
      const claimed = await run(
        Reservation,
        hash,
        step('claim'),
        Reservation.decider.decide({ type: 'Claim', owner }),
      )()
      if (E.isRight(claimed)) return E.right(undefined)
      if (claimed.left._tag === 'NotHeld') throw new Error('a claim needs no holder')
      if (claimed.left._tag !== 'HeldBy') return E.left(claimed.left)

      const holder = claimed.left.owner
      const forfeited = await run(
        Customer,
        holder,
        step(`forfeit ${holder}`),
        Customer.decider.decide({ type: 'ForfeitEmail', emailHash: hash }),
      )()
      if (E.isLeft(forfeited)) {
        return 'stream' in forfeited.left || 'cause' in forfeited.left || forfeited.left._tag === 'ClaimLost'
          ? E.left(forfeited.left)
          : E.left({ _tag: 'EmailTaken', customerId: holder })
      }
      const taken = await run(
        Reservation,
        hash,
        step(`take over from ${holder}`),
        Reservation.decider.decide({ type: 'TakeOver', owner, from: holder }),
      )()
      if (E.isRight(taken)) return E.right(undefined)
      const lost = taken.left
      if (lost._tag !== 'HeldBy' && lost._tag !== 'NotHeld') return E.left(lost)
      return tries > 0 ? attempt(tries - 1) : E.left({ _tag: 'TooManyConflicts', stream: `reservation-${hash}` })
    }
    return () => attempt(mostTries)
  }
