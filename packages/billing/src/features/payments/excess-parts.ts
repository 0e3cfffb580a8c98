import { type IncomingPayment, type Stroops, stroops } from '@quittance/domain'

/**
 * Divides an excess among incoming payments, the latest first, and to none more than its amount. If the price has fallen
 * since, most of it may belong to an earlier payer.
 */
export const excessParts = (
  accepted: ReadonlyArray<IncomingPayment>,
  excess: Stroops,
): ReadonlyArray<{ readonly incoming: IncomingPayment; readonly amount: Stroops }> => {
  let left: bigint = excess
  return accepted.toReversed().flatMap((incoming) => {
    const amount = stroops(left < incoming.amount ? left : incoming.amount)
    left -= amount
    return amount === 0n ? [] : [{ incoming, amount }]
  })
}
