import type { Found, PayoutDestinationRow } from '@quittance/projections'
import { timestamp, timestampOrNull } from './fields.ts'
import { addressText, memoFields } from './payout.ts'

/** A payout destination as the interface shows it. */
export const payoutDestinationResource = ({ id, environment, row }: Found<PayoutDestinationRow>) => {
  const { details, status, removedAt, createdAt } = row
  return {
    id,
    object: 'payout_destination' as const,
    status,
    address: addressText(details),
    ...memoFields(details.memo),
    label: details.label,
    via: details.via,
    usable_from: timestamp(details.usableFrom),
    removed_at: timestampOrNull(removedAt),
    environment,
    created_at: timestamp(createdAt),
  }
}
export type PayoutDestinationResource = ReturnType<typeof payoutDestinationResource>
