import type { CheckoutState, IncomingPayment, UnixMs } from '@quittance/domain'
import type { LedgerUnreachable } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { derivedCommandId } from '../kernel/derive.ts'
import type { CommandContext, ExecuteFailure } from '../kernel/execute.ts'
import type { SessionId } from '../kernel/session-kinds.ts'
import type { QuoteFailure } from '../stores/quotes/quoter.ts'
import type { NetworkNotConfigured } from './services.ts'
import type { MerchantNotReady } from './settlements.ts'

/** A process could not go on: the store or the ledger did not answer, or nobody has a rate. It is tried again. */
export type ProcessFailure = ExecuteFailure | QuoteFailure | LedgerUnreachable | MerchantNotReady | NetworkNotConfigured

/** The session that a process works for, and the time of what it follows up. */
export type Place = Scope & { readonly sessionId: SessionId; readonly at: UnixMs }

export type ExistingCheckout = Exclude<CheckoutState, { readonly status: 'absent' }>

/** The state of a checkout that a process has already met; that it does not exist is a defect, and thrown. */
export const existing = (state: CheckoutState, id: string): ExistingCheckout => {
  if (state.status === 'absent') throw new Error(`a process works for ${id}, which does not exist`)
  return state
}

export type Settled = Extract<CheckoutState, { readonly status: 'settled' }>

/**
 * The credit that covered the price: the last one accepted, since a checkout takes no more once it is settled. The hash in
 * its settlement would not do: an operation may have brought several.
 */
export const settlingCredit = ({ accepted, settlement: { transactionHash } }: Settled): IncomingPayment => {
  const last = accepted.at(-1)
  if (last?.transactionHash === transactionHash) return last
  throw new Error(`a checkout was settled by ${transactionHash}, but not as the last of its credits`)
}

/** Who does what nobody has asked for. */
export const actor = 'process'

/**
 * The context of a step that follows from `cause`. The same cause and step give the same command however often the
 * process walks by, so walking again writes nothing twice.
 */
export const stepContext = (scope: Scope, cause: string, step: string, at: UnixMs): CommandContext => ({
  merchantId: scope.merchantId,
  environment: scope.environment,
  commandId: derivedCommandId(cause, step),
  correlationId: derivedCommandId(cause, 'all steps'),
  causationId: null,
  actor,
  at,
})

const failures: Readonly<Record<ExecuteFailure['_tag'], true>> = {
  ForeignStream: true,
  TooManyConflicts: true,
  StepRejected: true,
  ClaimLost: true,
  StoreUnavailable: true,
  OutcomeUnknown: true,
}

const isFailure = (left: { readonly _tag: string }): left is ExecuteFailure => Object.hasOwn(failures, left._tag)

/** As an answer `null` where the domain says no: another process was first, and the stream says what it did. */
export const unlessRejected = <A>(
  outcome: E.Either<{ readonly _tag: string }, A>,
): E.Either<ExecuteFailure, A | null> => {
  if (E.isRight(outcome)) return outcome
  return isFailure(outcome.left) ? E.left(outcome.left) : E.right(null)
}

/** A process asks only for what must be possible: that the domain says no is a defect, and thrown. */
export const withoutRejection = <A>(outcome: E.Either<{ readonly _tag: string }, A>): E.Either<ExecuteFailure, A> => {
  if (E.isRight(outcome)) return outcome
  if (isFailure(outcome.left)) return E.left(outcome.left)
  throw new Error(`a process was refused its step: ${outcome.left._tag}`)
}
