import type { CheckoutState, InvoiceEnd } from '@quittance/domain'
import type { CheckoutRow, Found, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { type CommandContext, fold } from '../../kernel/execute.ts'
import { rowFrom, type StoreUnavailable } from '../../kernel/load.ts'
import { SessionId, sessionModel, sessionsOf } from '../../kernel/session-kinds.ts'
import type { Services } from '../../services/services.ts'
import type { CheckoutNotFound } from '../checkouts/options.ts'
import { endOfInvoice } from '../invoices/invoice-end.ts'

/** A session as a payer meets it: by its id alone, which is public as a memo. */
export type PublicSession = {
  readonly id: SessionId
  readonly found: Found<CheckoutRow>
  readonly state: Exclude<CheckoutState, { readonly status: 'absent' }>
}

export const publicSession =
  (services: Services) =>
  (id: string): TE.TaskEither<StoreUnavailable | CheckoutNotFound, PublicSession> =>
    pipe(
      services.store.readStream(`${sessionsOf(id).category}-${id}`),
      TE.chainEitherKW(({ events }): E.Either<CheckoutNotFound, PublicSession> => {
        const found = rowFrom(sessionModel(id), id, events)
        const state = fold(sessionsOf(id), events)
        if (O.isNone(found) || state.status === 'absent') return E.left({ _tag: 'CheckoutNotFound' })
        return E.right({ id: decodeOrThrow(SessionId, id), found: found.value, state })
      }),
      TE.chainW((session) => unlessEnded(services, session)),
    )

/** The session of an invoice that is not owed any more is over, also before a process has come to write that down. */
const unlessEnded = (services: Services, session: PublicSession): TE.TaskEither<StoreUnavailable, PublicSession> => {
  const { id, state, found } = session
  if (state.status !== 'open') return TE.right(session)
  return TE.map((reason: InvoiceEnd | null): PublicSession => {
    if (reason === null) return session
    const ended = { ...state, status: 'failed' as const, reason, endedAt: services.clock.now() }
    return { id, found: { ...found, row: { ...found.row, status: 'failed', failureReason: reason } }, state: ended }
  })(endOfInvoice(services)(id, state.details))
}

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
