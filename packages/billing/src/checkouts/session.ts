import { Checkout, type CheckoutId, type CheckoutState, CheckoutId as Id } from '@quittance/domain'
import { type CheckoutRow, type Found, checkouts as model, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../decode.ts'
import { type CommandContext, fold } from '../execute.ts'
import { rowFrom, type StoreUnavailable } from '../load.ts'
import type { Services } from '../services.ts'
import type { CheckoutNotFound } from './options.ts'

/** A session as a payer meets it: by its id alone, which is public as a memo. */
export type PublicSession = {
  readonly id: CheckoutId
  readonly found: Found<CheckoutRow>
  readonly state: Exclude<CheckoutState, { readonly status: 'absent' }>
}

export const publicSession =
  ({ store }: Services) =>
  (id: string): TE.TaskEither<StoreUnavailable | CheckoutNotFound, PublicSession> =>
    pipe(
      store.readStream(`${Checkout.category}-${id}`),
      TE.chainEitherKW(({ events }): E.Either<CheckoutNotFound, PublicSession> => {
        const found = rowFrom(model, id, events)
        const state = fold(Checkout, events)
        if (O.isNone(found) || state.status === 'absent') return E.left({ _tag: 'CheckoutNotFound' })
        return E.right({ id: decodeOrThrow(Id, id), found: found.value, state })
      }),
    )

/** The context of what a payer asks for: nobody is authenticated, and nothing of it is repeated under a key. */
export const payerContext = ({ clock, freshId }: Services, { merchantId, environment }: Scope): CommandContext => {
  const commandId = freshId()
  return {
    merchantId,
    environment,
    commandId,
    correlationId: commandId,
    causationId: null,
    actor: 'payer',
    at: clock.now(),
  }
}
