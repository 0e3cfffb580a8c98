import { type AssetId, type Stroops, stroops } from '@quittance/domain'
import type { ReadModels, Scope } from '@quittance/projections'

/** How much of an asset of a merchant is kept for somebody. */
export type HeldBalance = (assetId: AssetId) => Stroops

/**
 * The number of open exceptions of a merchant that are looked at, the oldest first. Newer ones are not held, so a flood of
 * tiny payments neither slows payouts down nor stops them.
 */
const mostExceptions = 10_000

/**
 * Reads how much belongs to others: money that does not fit may have to be given back while it is new, on its way back, or
 * waits for a person. It is held until its end is recorded, which is after the ledger that pays it; money that a person
 * accepts becomes the merchant's. Nothing `unexplained` can be given back, and `dust` is kept.
 */
export const heldForOthers = ({ exceptions }: Pick<ReadModels, 'exceptions'>, scope: Scope): HeldBalance => {
  const held = new Map<AssetId, bigint>()
  let looked = 0
  for (const { row } of exceptions.ofStatus(scope, 'open')) {
    if (++looked > mostExceptions) break
    const { kind, assetId, amount } = row.details
    if (kind !== 'unexplained' && kind !== 'dust') held.set(assetId, (held.get(assetId) ?? 0n) + amount)
  }
  return (assetId) => stroops(held.get(assetId) ?? 0n)
}
