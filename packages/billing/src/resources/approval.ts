import { decimalFromCents, formatAmount, RefundId } from '@quittance/domain'
import type { ApprovalRow, Found } from '@quittance/projections'
import { timestamp, timestampOrNull } from './fields.ts'

/** An approval as the interface shows it. */
export const approvalResource = ({ id, environment, row }: Found<ApprovalRow>) => {
  const { details, status, createdAt } = row
  const { subject, value } = details
  const decision = row.status === 'approved' || row.status === 'rejected' ? row : null
  return {
    id,
    object: 'approval' as const,
    status,
    of: RefundId.is(subject) ? ('refund' as const) : ('payout' as const),
    subject_id: subject,
    requested_by: details.requestedBy,
    amount: formatAmount(details.amount, details.assetId),
    asset_id: details.assetId,
    destination: details.destination,
    value_usd: value === null ? null : decimalFromCents(value),
    cause: details.cause,
    expires_at: timestamp(details.expiresAt),
    decided_by: decision?.by ?? null,
    note: decision?.note ?? null,
    ended_at: timestampOrNull(row.status === 'waiting' ? null : row.at),
    environment,
    created_at: timestamp(createdAt),
  }
}
/** An approval, as it is shown. */
export type ApprovalResource = ReturnType<typeof approvalResource>
