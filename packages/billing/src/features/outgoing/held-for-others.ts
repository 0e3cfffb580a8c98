import { type AssetId, type Stroops, stroops } from '@quittance/domain'
import type { ReadModels, Scope } from '@quittance/projections'
import type { AwaitingRate } from '../../stores/awaiting-rate.ts'

/** How much of an asset of a merchant is kept for somebody. */
export type HeldBalance = (assetId: AssetId) => Stroops

/** Where money of others is found. */
export type HeldServices = {
  readonly readModels: Pick<ReadModels, 'exceptions' | 'payments'>
  readonly awaitingRate: Pick<AwaitingRate, 'ofMerchant'>
}

/**
 * The number of each kind that is looked at for a merchant, exceptions the oldest first. Newer ones are not held, so a flood
 * of tiny payments neither slows payouts down nor stops them.
 */
const mostOfKind = 10_000

/**
 * Reads how much belongs to others: money that does not fit may have to be given back while it is new, on its way back, or
 * waits for a person. It is held until its end is recorded, which is after the ledger that pays it; money that a person
 * accepts becomes the merchant's. Nothing `unexplained` can be given back, and `dust` is kept. Money that waits for a rate, and
 * parts of a price, are held because they may not fit in the end.
 */
export const heldForOthers = async ({ readModels, awaitingRate }: HeldServices, scope: Scope): Promise<HeldBalance> => {
  const held = new Map<AssetId, bigint>()
  const hold = ({ assetId, amount }: { readonly assetId: AssetId; readonly amount: bigint }): void =>
    void held.set(assetId, (held.get(assetId) ?? 0n) + amount)
  const { exceptions, payments } = readModels
  for (const { incoming } of await awaitingRate.ofMerchant(scope, mostOfKind)) hold(incoming)
  for await (const { row } of firstOf(payments.ofStatus(scope, 'pending')))
    for (const part of row.incomingPayments) hold(part)
  for await (const { row } of firstOf(exceptions.ofStatus(scope, 'open'))) {
    const { kind } = row.details
    if (kind !== 'unexplained' && kind !== 'dust') hold(row.details)
  }
  return (assetId) => stroops(held.get(assetId) ?? 0n)
}

/** The first rows, as many as may be held of a kind. */
async function* firstOf<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  let count = 0
  for await (const row of rows) {
    yield row
    if (++count === mostOfKind) return
  }
}
