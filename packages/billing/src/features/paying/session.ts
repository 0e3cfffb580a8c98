import type { CheckoutState } from '@quittance/domain'
import type { CheckoutRow, Found, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import type { CommandContext } from '../../kernel/execute.ts'
import { rowFrom, type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import { SessionId, sessionModel, sessionsOf } from '../../kernel/session-kinds.ts'
import { correlationNow } from '../../kernel/tracing/trace-ids.ts'
import type { Services } from '../../services/services.ts'
import type { CheckoutNotFound } from '../checkouts/options.ts'
import { endOfInvoice } from '../invoices/invoice-end.ts'

/**
 * A session that anyone can read who knows its id: its payer and its merchant. `reference` stands for it on the ledger;
 * sessions of earlier versions stand there by their id.
 */
export type PublicSession = {
  readonly id: SessionId
  readonly reference: string
  readonly found: Found<CheckoutRow>
  readonly state: Exclude<CheckoutState, { readonly status: 'absent' }>
}

export const publicSession = async (
  services: Pick<Services, 'store' | 'clock'>,
  id: string,
): Promise<E.Either<StoreUnavailable | CheckoutNotFound, PublicSession>> => {
  const sessions = sessionsOf(id)
  const session = await stateOf(services.store)(sessions, id)
  if (E.isLeft(session)) return session
  const { events, state } = session.right
  const found = rowFrom(sessionModel(id), id, events)
  if (O.isNone(found) || state.status === 'absent') return E.left({ _tag: 'CheckoutNotFound' })
  const reference = state.details.reference ?? id
  return unlessEnded(services, { id: decodeOrThrow(SessionId, id), reference, found: found.value, state })
}

/** An invoice that is no longer owed has ended, even before its session's end is recorded. */
const unlessEnded = async (
  services: Pick<Services, 'store' | 'clock'>,
  session: PublicSession,
): Promise<E.Either<StoreUnavailable, PublicSession>> => {
  const { id, reference, state, found } = session
  if (state.status !== 'open') return E.right(session)
  const end = await endOfInvoice(services, id, state.details)
  if (E.isLeft(end)) return end
  if (end.right === null) return E.right(session)
  const failed = { status: 'failed' as const, reason: end.right, endedAt: services.clock.now(found.environment) }
  return E.right({
    id,
    reference,
    found: { ...found, row: { ...found.row, ...failed } },
    state: { ...state, ...failed },
  })
}

/** The context of a payer's request: payers are not authenticated, and send no idempotency key. */
export const payerContext = (
  { clock, freshId }: Pick<Services, 'clock' | 'freshId'>,
  { merchantId, environment }: Scope,
): CommandContext => {
  const commandId = freshId()
  return {
    merchantId,
    environment,
    commandId,
    correlationId: correlationNow(commandId),
    causationId: null,
    actor: 'payer',
    at: clock.now(environment),
  }
}
