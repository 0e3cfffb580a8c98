import type { LedgerTransactionState } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { examine, type Finding, type Undecided } from '../features/outgoing/look-up-outcome.ts'
import { type Ours, type Outgoing, toTransaction, transactionNow } from '../features/outgoing/outgoing.ts'
import { recordOutcome } from '../features/outgoing/record-outcomes.ts'
import { receiveSkippedCharges } from '../ingest/receive-skipped-charges.ts'
import type { ProcessFailure } from '../services/process-failure.ts'

/**
 * Records the proven outcome of a released transaction whose time bounds have ended and which no ingested ledger holds.
 * An unproven outcome is left to an operator, and nothing is sent again. Answers the new state; null: it stays as it
 * is.
 */
export const findOutcome = async (
  outgoing: Outgoing,
  ours: Ours,
  state: Undecided,
): Promise<E.Either<ProcessFailure, LedgerTransactionState | null>> => {
  const found = await examine(outgoing, ours, state)
  if (E.isLeft(found)) return found
  switch (found.right._tag) {
    case 'Dead':
      return recordDeath(outgoing, ours)
    case 'Held': {
      const { outcome } = found.right
      const { services, network } = outgoing
      const isCharge = state.details.class === 'charge' && outcome._tag === 'Succeeded'
      const mandates = isCharge
        ? await receiveSkippedCharges(services, network, ours.environment, outcome.ledger)
        : E.right([])
      if (E.isLeft(mandates)) return mandates
      if (mandates.right === null) {
        raiseFinding(outgoing, ours, { _tag: 'Unprovable' })
        return E.right(null)
      }
      const recorded = await recordOutcome(outgoing, ours, outcome, mandates.right)
      return E.isLeft(recorded) ? recorded : transactionNow(outgoing.services, ours)
    }
    case 'Awaited':
    case 'Contradicted':
    case 'Unprovable':
      raiseFinding(outgoing, ours, found.right)
      return E.right(null)
  }
}

/**
 * Whether a recorded failure is proven, so that it may be acted upon. Raises a trouble for the operator if it is not.
 */
export const doesFailureStand = async (
  outgoing: Outgoing,
  ours: Ours,
  state: Undecided,
): Promise<E.Either<ProcessFailure, boolean>> => {
  const found = await examine(outgoing, ours, state)
  if (E.isLeft(found)) return found
  raiseFinding(outgoing, ours, found.right)
  return E.right(found.right._tag === 'Held')
}

const raiseFinding = ({ raise }: Outgoing, { hash: transactionHash }: Ours, found: Finding): void => {
  if (found._tag === 'Unprovable') raise({ _tag: 'OutcomeUnprovable', transactionHash })
  if (found._tag !== 'Contradicted') return
  const { ledger } = found
  const cause = 'a node claims an outcome in that ledger which the ingested ledger does not hold'
  raise({ _tag: 'OutcomeContradicted', transactionHash, ledger, cause })
}

const recordDeath = async (
  outgoing: Outgoing,
  ours: Ours,
): Promise<E.Either<ProcessFailure, LedgerTransactionState | null>> => {
  const { sequence: ledger, closedAt } = outgoing.ingested
  const command = { type: 'RecordDeath' as const, ledger, closedAt }
  const recorded = await toTransaction(outgoing, ours, ['TransactionHasEnded'], 'death', command)
  return E.isLeft(recorded) ? recorded : transactionNow(outgoing.services, ours)
}
