import {
  isAnySkipped,
  LedgerFollowing,
  LedgerSequence,
  type LedgerTransactionState,
  type TransactionDetails,
  type TransactionEnd,
} from '@quittance/domain'
import { isProvenDead, type LedgerUnreachable, outcomesInLedger, type TransactionOutcome } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import type { Ours, Outgoing } from './outgoing.ts'

/** What the ledger, as nodes tell it now, says of a transaction that is released and not closed. */
export type Finding =
  /** Nothing yet: it may still come, or what tells of it is still to be ingested or to be continued. */
  | { readonly _tag: 'Awaited' }
  /** No ledger holds it, on two proofs. */
  | { readonly _tag: 'Dead' }
  /** A ledger that was skipped holds it, or the one that is recorded still does; the next one continues it. */
  | { readonly _tag: 'Held'; readonly outcome: TransactionOutcome }
  /** A node says that a ledger holds it which was ingested without it; `outcome` is what that ledger holds now. */
  | { readonly _tag: 'Contradicted'; readonly ledger: LedgerSequence; readonly outcome: TransactionOutcome | null }
  | { readonly _tag: 'Unprovable' }

type Ended = Extract<LedgerTransactionState, { readonly end: TransactionEnd }>
/** Released, or failed by a ledger, which nobody need have acted upon yet. */
export type Undecided = Extract<LedgerTransactionState, { readonly status: 'released' }> | Ended
export type Asked = Pick<Outgoing, 'services' | 'network' | 'ingested'>
type Found = TE.TaskEither<LedgerUnreachable | StoreUnavailable, Finding>

const awaited: Finding = { _tag: 'Awaited' }

/**
 * What became of a transaction. Dead only on two proofs: every ledger up to one after its `maxTime` was ingested, and a node
 * that holds all of them does not find it. A failure that is recorded stands once the next ledger continues its own: who
 * has forged it cannot forge that.
 */
export const examine = (asked: Asked, ours: Ours, state: Undecided): Found =>
  state.status === 'released' || state.end._tag !== 'failed'
    ? examineReleased(asked, ours, state.details)
    : examineFailure(asked, ours, state.details, state.end.ledger)

const examineFailure =
  (asked: Asked, ours: Ours, details: TransactionDetails, ledger: LedgerSequence): Found =>
  async () => {
    if (asked.ingested.sequence <= ledger) return E.right(awaited)
    const told = await outcomesInLedger(asked.network.gateway, ours.hash)(ledger)()
    if (E.isLeft(told)) return told
    const outcome = told.right?.outcomes.find(({ _tag }) => _tag === 'Failed')
    if (told.right?.isContinued === true && outcome !== undefined) return E.right({ _tag: 'Held', outcome })
    const elsewhere = await examineReleased(asked, ours, details)()
    if (E.isLeft(elsewhere) || elsewhere.right._tag === 'Contradicted') return elsewhere
    return E.right({ _tag: 'Unprovable' })
  }

const examineReleased =
  (
    { services, network, ingested }: Asked,
    { environment, hash }: Ours,
    { maxTime, preparedAfter, preparedAt }: TransactionDetails,
  ): Found =>
  async () => {
    if (ingested.closedAt <= maxTime) return E.right(awaited)
    const following = await stateOf(services.store)(LedgerFollowing, environment)
    if (E.isLeft(following)) return following
    const lookUp = await network.gateway.lookUp(hash)()
    if (E.isLeft(lookUp)) return lookUp
    const found = lookUp.right
    const first = decodeOrThrow(LedgerSequence, preparedAfter + 1)
    const isSkipped = isAnySkipped(following.right.state, first, ingested.sequence)
    if (found._tag === 'NotFound') {
      const proof = { maxTime, firstSentAt: preparedAt, highestLedgerSeen: ingested.sequence }
      if (!isSkipped && isProvenDead(found, proof)) return E.right({ _tag: 'Dead' })
      return E.right(isSkipped || found.range.oldestClosedAt > preparedAt ? { _tag: 'Unprovable' } : awaited)
    }
    const { ledger } = found
    if (ledger > ingested.sequence) return E.right(awaited)
    const told = await outcomesInLedger(network.gateway, hash)(ledger)()
    if (E.isLeft(told)) return told
    const outcome = told.right?.outcomes.find(({ _tag }) => _tag !== 'BumpFailed') ?? null
    // Of a fee bump that failed by itself, nodes say that the transaction inside failed: that one was never tried.
    const isOfBump = outcome === null && (told.right?.outcomes.length ?? 0) > 0
    if (isOfBump) return E.right({ _tag: isSkipped ? 'Unprovable' : 'Dead' })
    if (!isAnySkipped(following.right.state, ledger, ledger)) return E.right({ _tag: 'Contradicted', ledger, outcome })
    if (outcome === null) return E.right({ _tag: 'Unprovable' })
    return E.right(told.right?.isContinued === true ? { _tag: 'Held', outcome } : awaited)
  }
