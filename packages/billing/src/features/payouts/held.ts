import { type AssetId, type Stroops, stroops } from '@quittance/domain'
import type { ReadModels, Scope } from '@quittance/projections'

/** What refunds and returns may still take of an asset of a merchant. */
export type Held = (assetId: AssetId) => Stroops

/**
 * So many open exceptions of a merchant are looked at, the oldest first. Whoever sends more than these, each too little
 * to matter, neither slows payouts down nor stops them: what comes behind is not held.
 */
const mostExceptions = 10_000

/**
 * Reads what is held for refunds that are claimed, and for money that does not fit: while it is new, on its way back, or
 * waits for a person, it may have to be given back. It holds until their ends are recorded, which is after the ledger
 * that pays them; a person who accepts it makes it the merchant's. Of what is `unexplained` nothing can be given back, and
 * `dust` is kept.
 */
export const heldIn = (
  { refundClaims, payments, exceptions }: Pick<ReadModels, 'refundClaims' | 'payments' | 'exceptions'>,
  scope: Scope,
): Held => {
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
