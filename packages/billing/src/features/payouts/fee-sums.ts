import { type AssetId, type Environment, feesOwed, PayoutBook, stroops } from '@quittance/domain'
import { bookId } from '../../kernel/payout-book.ts'
import type { Services } from '../../services/services.ts'
import { allBookedFees } from './booked-fees.ts'

/** What the operator's fees come to in an asset, of all merchants. `collected`: it was paid, or is on its way. */
export type PlatformFeeSums = {
  readonly assetId: AssetId
  readonly booked: bigint
  readonly collected: bigint
  readonly owed: bigint
}

/** The fees that merchants owe and that were collected, in sums by asset. */
export const platformFeeSums = async (
  services: Pick<Services, 'readModels'>,
  environment: Environment,
): Promise<ReadonlyArray<PlatformFeeSums>> => {
  const sums = new Map<AssetId, PlatformFeeSums>()
  for (const { merchantId, assetId, amount } of await allBookedFees(services, environment)) {
    const book = (await services.readModels.payoutClaims.withId(bookId({ merchantId, environment }, assetId)))?.row
    const owed = feesOwed(book ?? PayoutBook.decider.initial, amount)
    const known = sums.get(assetId) ?? { assetId, booked: 0n, collected: 0n, owed: stroops(0n) }
    sums.set(assetId, {
      assetId,
      booked: known.booked + amount,
      collected: known.collected + amount - owed,
      owed: known.owed + (owed > 0n ? owed : 0n),
    })
  }
  return [...sums.values()]
}
