import { type AssetId, type Environment, type Stroops, stroops } from '@quittance/domain'
import type { ReadModels } from '@quittance/projections'

/** What a merchant's refunds and returns that are under way will take of an asset. */
export type Held = (merchantId: string, assetId: AssetId) => Stroops

/**
 * Reads what is held for refunds that are claimed, and for money that does not fit and that nobody has to decide about:
 * new, or on its way back. It holds until their ends are recorded, which is after the ledger that pays them.
 */
export const heldIn = ({ refundClaims, payments, exceptions }: ReadModels, environment: Environment): Held => {
  const held = new Map<string, bigint>()
  const add = (merchantId: string, assetId: AssetId, amount: bigint) => {
    const key = `${merchantId}/${assetId}`
    held.set(key, (held.get(key) ?? 0n) + amount)
  }
  for (const { id, merchantId } of refundClaims.due(environment, Number.MAX_SAFE_INTEGER)) {
    const payment = payments.withId(id)?.row
    if (payment) add(merchantId, payment.details.assetId, payment.confirmation?.amount ?? 0n)
  }
  for (const { merchantId, row } of exceptions.due(environment, 0))
    if (row.details.kind !== 'unexplained') add(merchantId, row.details.assetId, row.details.amount)
  return (merchantId, assetId) => stroops(held.get(`${merchantId}/${assetId}`) ?? 0n)
}
