import { type IncomingPayment, type Stroops, stroops } from '@quittance/domain'

/**
 * Whose an excess is: of who paid last first, and of nobody more than they sent. Where the price has fallen since, most of
 * it may belong to who paid before.
 */
export const excessParts = (
  accepted: ReadonlyArray<IncomingPayment>,
  excess: Stroops,
): ReadonlyArray<{ readonly credit: IncomingPayment; readonly amount: Stroops }> => {
  let left: bigint = excess
  return accepted.toReversed().flatMap((credit) => {
    const amount = stroops(left < credit.amount ? left : credit.amount)
    left -= amount
    return amount === 0n ? [] : [{ credit, amount }]
  })
}
