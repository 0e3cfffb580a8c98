import type { AssetId, Environment } from '@quittance/domain'
import type { BookedFees, Scope } from '@quittance/projections'
import { epochBegan } from '../../kernel/epoch.ts'
import { everyRow } from '../../services/every-row.ts'
import type { Services } from '../../services/services.ts'

type FeeServices = Pick<Services, 'readModels'>

/**
 * What counts as booked of a merchant's fees, by asset: what was booked on the present ledger of the network. Of a former one
 * that was reset, only what was collected there, as the book of the asset goes on counting that.
 */
export const bookedFeesOf = ({ readModels }: FeeServices, scope: Scope): ReadonlyArray<BookedFees> => {
  const began = epochBegan(readModels, scope.environment)
  const booked = readModels.bookedFees.of(scope, began)
  if (began === 0) return booked
  const sums = new Map<AssetId, bigint>(booked.map(({ assetId, amount }) => [assetId, amount]))
  for (const { row } of everyRow((page) => readModels.payouts.page({ ...page, status: 'succeeded' }), scope)) {
    if (row.status !== 'succeeded' || row.settlement.closedAt > began) continue
    const { purpose, assetId, amount } = row.details
    if (purpose === 'platform_fee') sums.set(assetId, (sums.get(assetId) ?? 0n) + amount)
  }
  return [...sums].map(([assetId, amount]) => ({ merchantId: scope.merchantId, assetId, amount }))
}

/** As `bookedFeesOf`, of all merchants. */
export const allBookedFees = (services: FeeServices, environment: Environment): ReadonlyArray<BookedFees> => {
  const { readModels } = services
  const began = epochBegan(readModels, environment)
  if (began === 0) return readModels.bookedFees.all(environment, began)
  return readModels.merchants.all().flatMap(({ id }) => bookedFeesOf(services, { merchantId: id, environment }))
}
