import type { OperationIndex, ReceivedFunding, TransactionHash } from '@quittance/domain'
import type { ReadModels, Scope } from '@quittance/projections'
import { incomingPaymentName } from '../../kernel/incoming-payment-name.ts'
import { isIn } from '../../kernel/load.ts'

type LedgerPosition = {
  readonly transactionHash: TransactionHash
  readonly operationIndex: OperationIndex | null
  readonly ordinal?: number
}

export type BookedFunding = { readonly id: string; readonly received: ReceivedFunding }

/** The funding that was booked for the incoming payment at a position of the ledger; null if there is none. */
export const bookedFunding = async (
  { fundings }: Pick<ReadModels, 'fundings'>,
  scope: Scope,
  position: LedgerPosition,
): Promise<BookedFunding | null> => {
  const name = incomingPaymentName(scope, position)
  for (const found of await fundings.withKey(position.transactionHash)) {
    const { id, row } = found
    if (row.status === 'received' && isIn(scope, found) && incomingPaymentName(scope, row.received) === name)
      return { id, received: row.received }
  }
  return null
}
