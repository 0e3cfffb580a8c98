import type { OperationIndex, ReceivedFunding, TransactionHash } from '@quittance/domain'
import type { ReadModels, Scope } from '@quittance/projections'
import { incomingPaymentName } from '../../kernel/incoming-payment-name.ts'
import { isIn } from '../../kernel/load.ts'

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
  const name = incomingPaymentName(scope, place)
  for (const found of fundings.withKey(place.transactionHash)) {
    const { id, row } = found
    if (row.status === 'received' && isIn(scope, found) && incomingPaymentName(scope, row.received) === name)
      return { id, received: row.received }
  }
  return null
}
