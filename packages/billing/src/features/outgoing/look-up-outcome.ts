import {
  isAnySkipped,
  LedgerIngestion,
  LedgerSequence,
  type LedgerTransactionState,
  type TransactionDetails,
  type TransactionEnd,
} from '@quittance/domain'
import { isProvenDead, type LedgerUnreachable, outcomesInLedger, type TransactionOutcome } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'
import type { Ours, Outgoing } from './outgoing.ts'

/** What nodes now say of a transaction that is released and not closed. */
export type Finding =
  /** It may still reach a ledger, or its ledger is not yet ingested or continued. */
  | { readonly _tag: 'Awaited' }
  /** No ledger holds it. */
  | { readonly _tag: 'Dead' }
  /** A skipped ledger holds it, or the recorded one still does; the next ledger continues that one. */
  | { readonly _tag: 'Held'; readonly outcome: TransactionOutcome }
  /** A node says that a ledger that was ingested without it holds it; `outcome` is what that ledger holds now. */
  | { readonly _tag: 'Contradicted'; readonly ledger: LedgerSequence; readonly outcome: TransactionOutcome | null }
  | { readonly _tag: 'Unprovable' }

type Ended = Extract<LedgerTransactionState, { readonly end: TransactionEnd }>
/** Released, or failed in a ledger: the failure need not have been acted upon yet. */
export type Undecided = Extract<LedgerTransactionState, { readonly status: 'released' }> | Ended

/** What an examination reads: the log, the network, and the newest ingested ledger. */
export type ExaminationContext = Pick<Outgoing, 'network' | 'ingested'> & { readonly services: Pick<Services, 'store'> }
type Examined = Promise<E.Either<LedgerUnreachable | StoreUnavailable, Finding>>

const awaited: Finding = { _tag: 'Awaited' }

/**
 * Finds what became of a transaction. It is dead only on two proofs: every ledger up to one after its `maxTime` was
 * ingested, and a node that holds all of them does not find it. A recorded failure stands once the next ledger continues
 * its ledger: a forger cannot forge that.
 */
export const examine = async (context: ExaminationContext, ours: Ours, state: Undecided): Examined => {
  if (state.status === 'released' || state.end._tag !== 'failed') return examineReleased(context, ours, state.details)
  const { ledger } = state.end
  if (context.ingested.sequence <= ledger) return E.right(awaited)
  const read = await outcomesInLedger(context.network.gateway, ours.hash)(ledger)()
  if (E.isLeft(read)) return read
  const outcome = read.right?.outcomes.find(({ _tag }) => _tag === 'Failed')
  if (read.right?.isContinued === true && outcome !== undefined) return E.right({ _tag: 'Held', outcome })
  const elsewhere = await examineReleased(context, ours, state.details)
  if (E.isLeft(elsewhere) || elsewhere.right._tag === 'Contradicted') return elsewhere
  return E.right({ _tag: 'Unprovable' })
}

const examineReleased = async (
  { services, network, ingested }: ExaminationContext,
  { environment, hash }: Ours,
  { maxTime, preparedAfter, preparedAt }: TransactionDetails,
): Examined => {
  if (ingested.closedAt <= maxTime) return E.right(awaited)
  const ingestion = await stateOf(services.store)(LedgerIngestion, environment)
  if (E.isLeft(ingestion)) return ingestion
  const lookUp = await network.gateway.lookUp(hash)()
  if (E.isLeft(lookUp)) return lookUp
  const found = lookUp.right
  const first = decodeOrThrow(LedgerSequence, preparedAfter + 1)
  const isSkipped = isAnySkipped(ingestion.right.state, first, ingested.sequence)
  if (found._tag === 'NotFound') {
    const proof = { maxTime, firstSentAt: preparedAt, highestLedgerSeen: ingested.sequence }
    if (!isSkipped && isProvenDead(found, proof)) return E.right({ _tag: 'Dead' })
    return E.right(isSkipped || found.range.oldestClosedAt > preparedAt ? { _tag: 'Unprovable' } : awaited)
  }
  const { ledger } = found
  if (ledger > ingested.sequence) return E.right(awaited)
  const read = await outcomesInLedger(network.gateway, hash)(ledger)()
  if (E.isLeft(read)) return read
  const outcome = read.right?.outcomes.find(({ _tag }) => _tag !== 'BumpFailed') ?? null
  // When a fee bump fails by itself, nodes say that the transaction inside failed, though it was never tried.
  const isOfBump = outcome === null && (read.right?.outcomes.length ?? 0) > 0
  if (isOfBump) return E.right({ _tag: isSkipped ? 'Unprovable' : 'Dead' })
  if (!isAnySkipped(ingestion.right.state, ledger, ledger)) return E.right({ _tag: 'Contradicted', ledger, outcome })
  if (outcome === null) return E.right({ _tag: 'Unprovable' })
  return E.right(read.right?.isContinued === true ? { _tag: 'Held', outcome } : awaited)
}
