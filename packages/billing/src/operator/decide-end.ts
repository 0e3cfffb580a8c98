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
import { type CompareFailure, standingOf } from '../books/ingestion-standing.ts'
import type { Undecided } from '../features/outgoing/examine.ts'
import { type Ours, transactionNow } from '../features/outgoing/outgoing.ts'
import { type ExecuteFailure, type OperatorContext, stepUnless } from '../kernel/execute.ts'
import type { Services } from '../services/services.ts'
import { type Contrary, contraryTo, type Said } from './conflicting-claim.ts'

export type DecideFailure =
  | CompareFailure
  | ExecuteFailure
  | Contrary
  | { readonly _tag: 'TransactionNotFound'; readonly transactionHash: TransactionHash }

/** What a person says became of a transaction of ours, who that is as far as they said, and why. */
export type DecideRequest = {
  readonly transactionHash: TransactionHash
  readonly said: Said
  readonly by: Text
  readonly reason: Text
}

/** What is recorded, now or when the same was decided before, and the intents that go on with it. */
export type Decided = { readonly decision: TransactionDecision; readonly intents: ReadonlyArray<IntentId> }

/**
 * Records what a person says became of a transaction, unless the ledger can tell by itself, or tells otherwise. A
 * worker does the rest with the next ledger: the intents and the number are told, and the transaction is closed.
 */
export const decideEnd =
  (services: Services) =>
  (context: OperatorContext, request: DecideRequest): TE.TaskEither<DecideFailure, Decided> =>
  async () => {
    const { environment } = context
    const { transactionHash: hash, said, by, reason } = request
    const stands = await standingOf(services, environment)
    if (E.isLeft(stands)) return stands
    const caught = await services.caughtUp.withLog()
    if (E.isLeft(caught)) return caught
    const row = services.readModels.ledgerTransactions.withId(hash)
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
    const over = overFor(services, hash, state)
    if (over !== null) return E.left(over)

    const { network, cursor: ingested } = stands.right
    const contrary = await contraryTo({ services, network, ingested }, ours, state, said)
    if (E.isLeft(contrary)) return contrary
    if (contrary.right !== null) return E.left(contrary.right)
    const decision: TransactionDecision = { ...said, closedAt: ingested.closedAt, by, reason }
    const own = { ...context, merchantId: ours.merchantId }
    const decide = LedgerTransaction.decider.decide({ type: 'DecideEnd', ...decision })
    const recorded = await stepUnless(services.store)(['TransactionHasEnded'], LedgerTransaction, hash, own, decide)
    if (E.isLeft(recorded)) return recorded
    // Meanwhile it has ended by itself, or somebody else has decided.
    return recorded.right === null ? decideEnd(services)(context, request)() : E.right({ decision, intents })
  }

const decisionOf = (state: LedgerTransactionState): TransactionDecision | null =>
  'end' in state && state.end._tag === 'decided' ? state.end : null

/** Nothing is left to decide of what has ended, nor of a failure of which an intent knows already. */
const overFor = (services: Services, hash: TransactionHash, state: Undecided): Contrary | null => {
  if (state.status === 'released') return null
  const isAttached = (id: IntentId) => services.readModels.intents.withId(id)?.row.attachedTo === hash
  if (state.status === 'failed' && state.details.intents.every(isAttached)) return null
  return { _tag: 'TransactionHasEnded', end: endedAs(state.end) }
}
