import type { endedAs, LedgerSequence, UnixMs } from '@quittance/domain'
import { type LedgerUnreachable, outcomesInLedger } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { type ExaminationContext, examine, type Finding, type Undecided } from '../features/outgoing/examine.ts'
import type { Ours } from '../features/outgoing/outgoing.ts'
import type { StoreUnavailable } from '../kernel/load.ts'

/** What a person says became of a transaction. */
export type Said = { readonly as: 'succeeded'; readonly ledger: LedgerSequence } | { readonly as: 'failed' | 'dead' }

/** Why a person's word does not count. */
export type Contrary =
  | { readonly _tag: 'TransactionHasEnded'; readonly end: ReturnType<typeof endedAs> }
  /** It may still come into a ledger (until `maxTime`), or what tells of it is still to be ingested. */
  | { readonly _tag: 'EndIsAwaited'; readonly maxTime: UnixMs }
  /** Nodes tell how it ended: `ledger` holds it, null: none does. */
  | {
      readonly _tag: 'EndIsProven'
      readonly as: 'succeeded' | 'failed' | 'dead'
      readonly ledger: LedgerSequence | null
    }
  /** The ledger that is said to hold its success does not, or cannot. */
  | { readonly _tag: 'LedgerDoesNotHoldIt'; readonly ledger: LedgerSequence }
  /** Nobody has used its sequence number: no ledger holds it. */
  | { readonly _tag: 'SequenceNotUsed' }

/** What speaks against a person's word; null where nothing does, and nobody can know better. */
export const contraryTo = async (
  asked: ExaminationContext,
  ours: Ours,
  state: Undecided,
  said: Said,
): Promise<E.Either<LedgerUnreachable | StoreUnavailable, Contrary | null>> => {
  const found = await examine(asked, ours, state)
  if (E.isLeft(found)) return found
  const { details } = state
  const proven = provenOtherwise(found.right, said)
  if (proven !== null) return E.right(proven)
  if (found.right._tag === 'Awaited') return E.right({ _tag: 'EndIsAwaited', maxTime: details.maxTime })
  if (said.as === 'dead') return E.right(null)
  const { gateway } = asked.network
  const view = await gateway.accountView(details.sourceAccount, [])()
  if (E.isLeft(view)) return view
  if (view.right !== null && view.right.accountSequence < details.accountSequence)
    return E.right({ _tag: 'SequenceNotUsed' })
  if (said.as !== 'succeeded') return E.right(null)
  const { ledger } = said
  const told = await outcomesInLedger(gateway, ours.hash)(ledger)()
  if (E.isLeft(told)) return told
  const isWithin = ledger > details.preparedAfter && ledger <= asked.ingested.sequence
  const isHeld = told.right === null || told.right.outcomes.some(({ _tag }) => _tag === 'Succeeded')
  return E.right(isWithin && isHeld ? null : { _tag: 'LedgerDoesNotHoldIt', ledger })
}

/** What can be proven is not for a person to say; what contradicts the ingested ledgers is, as nodes tell it. */
const provenOtherwise = (found: Finding, said: Said): Contrary | null => {
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
