import { type AssetId, stroops } from '@quittance/domain'
import type { ReadModels, Scope } from '@quittance/projections'
import { type HeldBalance, type HeldServices, heldForOthers } from '../outgoing/held-for-others.ts'

/**
 * Reads what payouts leave alone: what belongs to others, and what is claimed for refunds, until its end is recorded, which
 * is after the ledger that pays it.
 */
export const heldIn = async (
  services: HeldServices & { readonly readModels: Pick<ReadModels, 'refundClaims'> },
  scope: Scope,
): Promise<HeldBalance> => {
  const { refundClaims, payments } = services.readModels
  const claimed = new Map<AssetId, bigint>()
  for await (const { id, merchantId } of refundClaims.due(scope.environment, Number.MAX_SAFE_INTEGER)) {
    const payment = merchantId === scope.merchantId ? (await payments.withId(id))?.row : undefined
    if (payment?.status !== 'confirmed') continue
    const { assetId } = payment.details
    claimed.set(assetId, (claimed.get(assetId) ?? 0n) + payment.confirmation.amount)
  }
  const ofOthers = await heldForOthers(services, scope)
  return (assetId) => stroops(ofOthers(assetId) + (claimed.get(assetId) ?? 0n))
}
