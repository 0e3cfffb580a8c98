import type { UnixMs } from '@quittance/domain'
import type { Found, PayoutDestinationRow } from '@quittance/projections'
import { timestamp, timestampOrNull } from './fields.ts'
import { addressText, memoFields } from './payout.ts'

/** A payout destination as the interface shows it. */
export const payoutDestinationResource = ({ id, environment, row }: Found<PayoutDestinationRow>) => {
  const { details, status, provenAt, createdAt } = row
  return {
    id,
    object: 'payout_destination' as const,
    status,
    address: addressText(details),
    ...memoFields(details.memo),
    label: details.label,
    via: provenAt === null ? ('waiting' as const) : ('proven' as const),
    usable_from: timestamp(usableFrom(row)),
    removed_at: timestampOrNull(row.status === 'removed' ? row.removedAt : null),
    environment,
    created_at: timestamp(createdAt),
  }
}
export type PayoutDestinationResource = ReturnType<typeof payoutDestinationResource>

/** A proof makes it usable at once. */
export const usableFrom = ({ details, provenAt }: Pick<PayoutDestinationRow, 'details' | 'provenAt'>): UnixMs =>
  provenAt !== null && provenAt < details.usableFrom ? provenAt : details.usableFrom
