import {
  endedAs,
  type IntentId,
  LedgerTransaction,
  type LedgerTransactionState,
  type Text,
  type TransactionDecision,
  type TransactionHash,
} from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type CompareFailure, standingOf } from '../books/reconciliation/ingestion-standing.ts'
import type { Undecided } from '../features/outgoing/look-up-outcome.ts'
import { type Ours, transactionNow } from '../features/outgoing/outgoing.ts'
import { everyInTurn } from '../kernel/checks-in-turn.ts'
import type { ExecuteFailure, OperatorContext } from '../kernel/execute.ts'
import { stepUnless } from '../kernel/step.ts'
import type { Services } from '../services/services.ts'
import { type ClaimConflict, conflictWith, type Said } from './conflicting-claim.ts'
import type { OperatorServices } from './services.ts'

/** Why the outcome of a transaction cannot be decided. */
export type DecideFailure =
  | CompareFailure
  | ExecuteFailure
  | ClaimConflict
  | { readonly _tag: 'TransactionNotFound'; readonly transactionHash: TransactionHash }

/** The outcome that an operator claims for one of our transactions, with their name and reason. */
export type DecideRequest = {
  readonly transactionHash: TransactionHash
  readonly said: Said
  readonly by: Text
  readonly reason: Text
}

/** The recorded decision, also of an earlier equal request, and the intents of the transaction. */
export type Decided = { readonly decision: TransactionDecision; readonly intents: ReadonlyArray<IntentId> }

/**
 * Records the outcome that an operator claims, unless the outcome is proven or awaited. With the next ledger a worker
 * ends the intents and the account sequence, and closes the transaction.
 */
export const decideOutcome =
  (services: OperatorServices) =>
  (context: OperatorContext, request: DecideRequest): TE.TaskEither<DecideFailure, Decided> =>
  async () => {
    const { environment } = context
    const { transactionHash: hash, said, by, reason } = request
    const stands = await standingOf(services, environment)
    if (E.isLeft(stands)) return stands
    const caught = await services.caughtUp.withLog()
    if (E.isLeft(caught)) return caught
    const row = await services.readModels.ledgerTransactions.withId(hash)
    if (row?.environment !== environment) return E.left({ _tag: 'TransactionNotFound', transactionHash: hash })
    const ours: Ours = { merchantId: row.merchantId, environment, hash }
    const found = await transactionNow(services, ours)
    if (E.isLeft(found)) return found
    const state = found.right
    if (state.status === 'absent') return E.left({ _tag: 'TransactionNotFound', transactionHash: hash })
    if (state.status === 'prepared') return E.left({ _tag: 'EndIsAwaited', maxTime: state.details.maxTime })
    const { intents } = state.details
    const before = decisionOf(state)
    if (before?.as === said.as) return E.right({ decision: before, intents })
    const ended = await endedConflict(services, hash, state)
    if (ended !== null) return E.left(ended)

    const { network, cursor: ingested } = stands.right
    const conflict = await conflictWith({ services, network, ingested }, ours, state, said)
    if (E.isLeft(conflict)) return conflict
    if (conflict.right !== null) return E.left(conflict.right)
    const decision: TransactionDecision = { ...said, closedAt: ingested.closedAt, by, reason }
    const own = { ...context, merchantId: ours.merchantId }
    const decide = LedgerTransaction.decider.decide({ type: 'DecideEnd', ...decision })
    const recorded = await stepUnless(services.store)(['TransactionHasEnded'], LedgerTransaction, hash, own, decide)
    if (E.isLeft(recorded)) return recorded
    // Another process has recorded its end or a decision meanwhile.
    return recorded.right === null ? decideOutcome(services)(context, request)() : E.right({ decision, intents })
  }

const decisionOf = (state: LedgerTransactionState): TransactionDecision | null =>
  'end' in state && state.end._tag === 'decided' ? state.end : null

/** Refuses to decide an ended transaction, or a failure that has already ended an intent. */
const endedConflict = async (
  services: Pick<Services, 'readModels'>,
  hash: TransactionHash,
  state: Undecided,
): Promise<ClaimConflict | null> => {
  if (state.status === 'released') return null
  const isAttached = async (id: IntentId) => (await services.readModels.intents.withId(id))?.row.attachedTo === hash
  if (state.status === 'failed' && (await everyInTurn(state.details.intents, isAttached))) return null
  return { _tag: 'TransactionHasEnded', end: endedAs(state.end) }
}
