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
export const bookedFeesOf = async ({ readModels }: FeeServices, scope: Scope): Promise<ReadonlyArray<BookedFees>> => {
  const began = await epochBegan(readModels, scope.environment)
  const booked = await readModels.bookedFees.of(scope, began)
  if (began === 0) return booked
  const sums = new Map<AssetId, bigint>(booked.map(({ assetId, amount }) => [assetId, amount]))
  for await (const { row } of everyRow((page) => readModels.payouts.page({ ...page, status: 'succeeded' }), scope)) {
    if (row.status !== 'succeeded' || row.settlement.closedAt > began) continue
    const { purpose, assetId, amount } = row.details
    if (purpose === 'platform_fee') sums.set(assetId, (sums.get(assetId) ?? 0n) + amount)
  }
  return [...sums].map(([assetId, amount]) => ({ merchantId: scope.merchantId, assetId, amount }))
}

/** As `bookedFeesOf`, of all merchants. */
export const allBookedFees = async (
  services: FeeServices,
  environment: Environment,
): Promise<ReadonlyArray<BookedFees>> => {
  const { readModels } = services
  const began = await epochBegan(readModels, environment)
  if (began === 0) return readModels.bookedFees.all(environment, began)
  return (
    await Promise.all(
      (await readModels.merchants.all()).map(({ id }) => bookedFeesOf(services, { merchantId: id, environment })),
    )
  ).flat()
}
