import type { TransactionHash } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pairedLedgers } from '../../continuity.ts'
import type { LedgerGateway } from '../../gateway.ts'
import { outcomesIn } from '../../one-ledger.ts'
import type { TransactionLookUp } from '../../submission.ts'

/** A node's claim that a closed ledger holds a transaction. */
export type ClaimedOutcome = Exclude<TransactionLookUp, { _tag: 'NotFound' }>

/**
 * `Confirmed`: the ledger holds it; `lookUp` comes from that ledger, not from the claim. `Contradicted`: the ledger
 * does not hold it, or holds another outcome. `Unknown`: no node can show that ledger now, or two nodes disagree about
 * it.
 */
type Confirmation =
  | { readonly _tag: 'Confirmed'; readonly lookUp: ClaimedOutcome }
  | { readonly _tag: 'Contradicted' }
  | { readonly _tag: 'Unknown' }

/** Looks for a transaction in the ledger that a node claims to hold it. */
export const confirmLookUp = async (
  readLedgers: LedgerGateway['readLedgers'],
  hash: TransactionHash,
  claimed: ClaimedOutcome,
): Promise<Confirmation> => {
  const batch = await readLedgers(claimed.ledger, 1, null)()
  if (E.isLeft(batch)) return { _tag: 'Unknown' }
  const [paired] = pairedLedgers(batch.right)
  const outcomes = outcomesIn(paired, claimed.ledger, hash)
  if (outcomes === null) return { _tag: 'Unknown' }
  const [outcome] = outcomes
  if (outcome === undefined) return { _tag: 'Contradicted' }
  const isSuccess = outcome._tag === 'Succeeded'
  if (isSuccess !== (claimed._tag === 'Succeeded')) return { _tag: 'Contradicted' }
  const { ledger, closedAt, code, operationCodes } = outcome
  return {
    _tag: 'Confirmed',
    lookUp: isSuccess
      ? { _tag: 'Succeeded', ledger, closedAt }
      : { _tag: 'Failed', ledger, closedAt, code, operationCodes },
  }
}
