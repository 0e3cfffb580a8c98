import type { OperationIndex, ReceivedFunding, TransactionHash } from '@quittance/domain'
import type { ReadModels, Scope } from '@quittance/projections'
import { isIn } from '../load.ts'
import { creditName } from '../processes/credit-name.ts'

type Place = {
  readonly transactionHash: TransactionHash
  readonly operationIndex: OperationIndex | null
  readonly ordinal?: number
}

export type BookedFunding = { readonly id: string; readonly received: ReceivedFunding }

/** The funding that was booked for the credit at a place of the ledger; null where none was. */
export const bookedFunding = (
  { fundings }: Pick<ReadModels, 'fundings'>,
  scope: Scope,
  place: Place,
): BookedFunding | null => {
  const name = creditName(scope, place)
  for (const found of fundings.withKey(place.transactionHash)) {
    const { received } = found.row
    if (received !== null && isIn(scope, found) && creditName(scope, received) === name)
      return { id: found.id, received }
  }
  return null
}
