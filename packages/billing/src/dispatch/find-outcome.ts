import type { LedgerTransactionState } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { examine, type Finding, type Undecided } from '../features/outgoing/examine.ts'
import { type Ours, type Outgoing, toTransaction, transactionNow } from '../features/outgoing/outgoing.ts'
import { recordOutcome } from '../features/outgoing/record-outcomes.ts'
import { receiveSkippedCharges } from '../ingest/receive-skipped-charges.ts'
import type { ProcessFailure } from '../services/process-failure.ts'

type Next = E.Either<ProcessFailure, LedgerTransactionState | null>

/**
 * Ends a released transaction whose time is over, and which no ingested ledger has told of, as far as it is proven. What is
 * not is left to a person, and nothing of it is sent again. The state to go on from; null: it stays as it is.
 */
export const findFate = async (
  outgoing: Outgoing,
  ours: Ours,
  state: Undecided,
): Promise<E.Either<ProcessFailure, LedgerTransactionState | null>> => {
  const found = await examine(outgoing, ours, state)
  if (E.isLeft(found)) return found
  switch (found.right._tag) {
    case 'Dead':
      return die(outgoing, ours)
    case 'Held': {
      const { outcome } = found.right
      const { services, network } = outgoing
      const isCharge = state.details.class === 'charge' && outcome._tag === 'Succeeded'
      const mandates = isCharge
        ? await receiveSkippedCharges(services, network, ours.environment, outcome.ledger)
        : E.right([])
      if (E.isLeft(mandates)) return mandates
      if (mandates.right === null) {
        tell(outgoing, ours, { _tag: 'Unprovable' })
        return E.right(null)
      }
      const recorded = await recordOutcome(outgoing, ours, outcome, mandates.right)
      return E.isLeft(recorded) ? recorded : transactionNow(outgoing.services, ours)
    }
    case 'Awaited':
    case 'Contradicted':
    case 'Unprovable':
      tell(outgoing, ours, found.right)
      return E.right(null)
  }
}

/** Whether a failure that is recorded may be acted upon; until it may, a person hears why not. */
export const doesFailureStand = async (
  outgoing: Outgoing,
  ours: Ours,
  state: Undecided,
): Promise<E.Either<ProcessFailure, boolean>> => {
  const found = await examine(outgoing, ours, state)
  if (E.isLeft(found)) return found
  tell(outgoing, ours, found.right)
  return E.right(found.right._tag === 'Held')
}

const tell = ({ raise }: Outgoing, { hash: transactionHash }: Ours, found: Finding): void => {
  if (found._tag === 'Unprovable') raise({ _tag: 'OutcomeUnprovable', transactionHash })
  if (found._tag !== 'Contradicted') return
  const { ledger } = found
  const cause = 'a node says that it ended there, which is not what was ingested'
  raise({ _tag: 'OutcomeContradicted', transactionHash, ledger, cause })
}

const die = async (outgoing: Outgoing, ours: Ours): Promise<Next> => {
  const { sequence: ledger, closedAt } = outgoing.ingested
  const command = { type: 'RecordDeath' as const, ledger, closedAt }
  const recorded = await toTransaction(outgoing, ours, ['TransactionHasEnded'], 'death', command)
  return E.isLeft(recorded) ? recorded : transactionNow(outgoing.services, ours)
}
