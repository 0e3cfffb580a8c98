import type { TransactionHash } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pairedLedgers } from '../../continuity.ts'
import type { LedgerGateway } from '../../gateway.ts'
import type { TransactionLookUp } from '../../submission.ts'

/** What a node says a closed ledger holds. */
export type SaidToBeHeld = Exclude<TransactionLookUp, { _tag: 'NotFound' }>

/**
 * `Confirmed`: the ledger holds it; `lookUp` is what that ledger says, not the node. `Contradicted`: the ledger was read,
 * and does not hold it, or holds another end of it. `Unknown`: nobody can tell that ledger now, or two nodes tell
 * it differently.
 */
type Confirmation =
  | { readonly _tag: 'Confirmed'; readonly lookUp: SaidToBeHeld }
  | { readonly _tag: 'Contradicted' }
  | { readonly _tag: 'Unknown' }

/** Looks for a transaction in the ledger that is said to hold it: a look-up itself is nothing but a node's word. */
export const confirmLookUp = async (
  readLedgers: LedgerGateway['readLedgers'],
  hash: TransactionHash,
  said: SaidToBeHeld,
): Promise<Confirmation> => {
  const batch = await readLedgers(said.ledger, 1, null)()
  if (E.isLeft(batch)) return { _tag: 'Unknown' }
  const [told] = pairedLedgers(batch.right)
  if (told?.ledger.sequence !== said.ledger) return { _tag: 'Unknown' }
  if (told.twin !== null && told.twin.hash !== told.ledger.hash) return { _tag: 'Unknown' }
  const [outcome] = told.ledger.outcomesOf((each) => each === hash)
  if (outcome === undefined) return { _tag: 'Contradicted' }
  const isSuccess = outcome._tag === 'Succeeded'
  if (isSuccess !== (said._tag === 'Succeeded')) return { _tag: 'Contradicted' }
  const { ledger, closedAt, code, operationCodes } = outcome
  return {
    _tag: 'Confirmed',
    lookUp: isSuccess
      ? { _tag: 'Succeeded', ledger, closedAt }
      : { _tag: 'Failed', ledger, closedAt, code, operationCodes },
  }
}
