import type { endedAs, LedgerSequence, UnixMs } from '@quittance/domain'
import { type LedgerUnreachable, outcomesInLedger } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { type ExaminationContext, examine, type Finding, type Undecided } from '../features/outgoing/look-up-outcome.ts'
import type { Ours } from '../features/outgoing/outgoing.ts'
import type { StoreUnavailable } from '../kernel/load.ts'

/** The outcome of a transaction that an operator claims. */
export type Said = { readonly as: 'succeeded'; readonly ledger: LedgerSequence } | { readonly as: 'failed' | 'dead' }

/** Why an operator's claim is refused. */
export type ClaimConflict =
  | { readonly _tag: 'TransactionHasEnded'; readonly end: ReturnType<typeof endedAs> }
  /** A ledger may still include it (until `maxTime`), or the ledger with its outcome is not ingested yet. */
  | { readonly _tag: 'EndIsAwaited'; readonly maxTime: UnixMs }
  /** Nodes prove its outcome: `ledger` holds it; null: no ledger does. */
  | {
      readonly _tag: 'EndIsProven'
      readonly as: 'succeeded' | 'failed' | 'dead'
      readonly ledger: LedgerSequence | null
    }
  /** The claimed ledger does not, or cannot, hold its success. */
  | { readonly _tag: 'LedgerDoesNotHoldIt'; readonly ledger: LedgerSequence }
  /** Its sequence number is unused, so no ledger holds it. */
  | { readonly _tag: 'SequenceNotUsed' }

/** What conflicts with an operator's claim; null if nothing does. */
export const conflictWith = async (
  context: ExaminationContext,
  ours: Ours,
  state: Undecided,
  said: Said,
): Promise<E.Either<LedgerUnreachable | StoreUnavailable, ClaimConflict | null>> => {
  const found = await examine(context, ours, state)
  if (E.isLeft(found)) return found
  const { details } = state
  const proven = provenOtherwise(found.right, said)
  if (proven !== null) return E.right(proven)
  if (found.right._tag === 'Awaited') return E.right({ _tag: 'EndIsAwaited', maxTime: details.maxTime })
  if (said.as === 'dead') return E.right(null)
  const { gateway } = context.network
  const view = await gateway.accountView(details.sourceAccount, [])()
  if (E.isLeft(view)) return view
  if (view.right !== null && view.right.accountSequence < details.accountSequence)
    return E.right({ _tag: 'SequenceNotUsed' })
  if (said.as !== 'succeeded') return E.right(null)
  const { ledger } = said
  const read = await outcomesInLedger(gateway, ours.hash)(ledger)()
  if (E.isLeft(read)) return read
  const isWithin = ledger > details.preparedAfter && ledger <= context.ingested.sequence
  const isHeld = read.right === null || read.right.outcomes.some(({ _tag }) => _tag === 'Succeeded')
  return E.right(isWithin && isHeld ? null : { _tag: 'LedgerDoesNotHoldIt', ledger })
}

/** Refuses a claim about a proven outcome. A claim may repeat what a node says against the ingested ledgers. */
const provenOtherwise = (found: Finding, said: Said): ClaimConflict | null => {
  switch (found._tag) {
    case 'Dead':
      return { _tag: 'EndIsProven', as: 'dead', ledger: null }
    case 'Held':
    case 'Contradicted': {
      const { outcome } = found
      if (outcome === null) return null
      const { ledger } = outcome
      const as = outcome._tag === 'Succeeded' ? 'succeeded' : 'failed'
      const isSaid = said.as === as && (said.as !== 'succeeded' || said.ledger === ledger)
      return found._tag === 'Contradicted' && isSaid ? null : { _tag: 'EndIsProven', as, ledger }
    }
    case 'Awaited':
    case 'Unprovable':
      return null
  }
}
