import { type AssetId, type Stroops, stroops } from '@quittance/domain'
import type { ReadModels, Scope } from '@quittance/projections'

/** How much of an asset of a merchant refunds and returns may still take. */
export type HeldBalance = (assetId: AssetId) => Stroops

/**
 * The number of open exceptions of a merchant that are looked at, the oldest first. Newer ones are not held, so a flood of
 * tiny payments neither slows payouts down nor stops them.
 */
const mostExceptions = 10_000

/**
 * Reads what is held for claimed refunds, and for money that does not fit: it may have to be given back while it is new, on
 * its way back, or waits for a person. It is held until its end is recorded, which is after the ledger that pays it; money
 * that a person accepts becomes the merchant's. Nothing `unexplained` can be given back, and `dust` is kept.
 */
export const heldIn = (
  { refundClaims, payments, exceptions }: Pick<ReadModels, 'refundClaims' | 'payments' | 'exceptions'>,
  scope: Scope,
): HeldBalance => {
  const held = new Map<AssetId, bigint>()
  const add = (assetId: AssetId, amount: bigint) => held.set(assetId, (held.get(assetId) ?? 0n) + amount)
  for (const { id, merchantId } of refundClaims.due(scope.environment, Number.MAX_SAFE_INTEGER)) {
    const payment = merchantId === scope.merchantId ? payments.withId(id)?.row : undefined
    if (payment?.status === 'confirmed') add(payment.details.assetId, payment.confirmation.amount)
  }
  let looked = 0
  for (const { row } of exceptions.ofStatus(scope, 'open')) {
    if (++looked > mostExceptions) break
    const { kind, assetId, amount } = row.details
    if (kind !== 'unexplained' && kind !== 'dust') add(assetId, amount)
  }
  return (assetId) => stroops(held.get(assetId) ?? 0n)
}
