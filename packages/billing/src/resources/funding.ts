import { type AssetId, decimalFromStroops, formatAmount, type Stroops } from '@quittance/domain'
import type { Found, FundingRow } from '@quittance/projections'
import { timestamp, timestampOrNull } from './fields.ts'

/** Money of the merchant's own that is announced, was received, or was moved by the merchant. */
export const fundingResource = ({ id, environment, row }: Found<FundingRow>) => {
  const { status, createdAt } = row
  const announcement = row.status === 'moved' ? null : row.announcement
  const received = row.status === 'received' ? row.received : null
  const movement = row.status === 'moved' ? row.movement : null
  const wanted = received ?? announcement ?? movement
  const [assetId, amount] = [wanted?.assetId ?? null, wanted?.amount ?? null]
  return {
    id,
    object: 'funding' as const,
    status,
    reason: received?.reason ?? null,
    from_address: (received ?? announcement)?.from ?? null,
    asset_id: assetId,
    amount: amount === null ? null : amountOf(amount, assetId),
    amount_stroops: amount?.toString() ?? null,
    direction: movement === null ? ('gain' as const) : movement.direction,
    account: (received ?? movement)?.account ?? null,
    transaction_hash: (received ?? movement)?.transactionHash ?? null,
    ledger: (received ?? movement)?.ledger ?? null,
    environment,
    expires_at: timestampOrNull(announcement?.expiresAt ?? null),
    created_at: timestamp(createdAt),
  }
}
export type FundingResource = ReturnType<typeof fundingResource>

/** A plain number of units for an announcement without an asset. */
const amountOf = (amount: Stroops, assetId: AssetId | null): string =>
  assetId === null ? decimalFromStroops(amount) : formatAmount(amount, assetId)
