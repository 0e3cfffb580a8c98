import { formatAmount } from '@quittance/domain'
import type { ExceptionRow, Found } from '@quittance/projections'
import { timestamp } from './fields.ts'

/** Money that does not fit, as the interface shows it. Nobody has resolved any yet. */
export const exceptionResource = ({ id, environment, row }: Found<ExceptionRow>) => {
  const { details, status, createdAt } = row
  return {
    id,
    object: 'exception' as const,
    kind: details.kind,
    status,
    asset_id: details.assetId,
    amount: formatAmount(details.amount, details.assetId),
    transaction_hash: details.transactionHash,
    checkout_id: details.checkoutId,
    action: null,
    environment,
    created_at: timestamp(createdAt),
    resolved_at: null,
  }
}
export type ExceptionResource = ReturnType<typeof exceptionResource>
