import type { AccountId } from '@quittance/domain'
import type { Movement } from '@quittance/ledger'
import { incomingPaymentKey } from '@quittance/projections'
import { positionOf } from '../../books/reconciliation/recorded-facts.ts'
import { isCredit } from '../../features/book-lines/name-movement.ts'
import type { Claim } from './claims.ts'

/** Why an event of the log is not believed: the ledger's own record does not bear it out, or another event has it already. */
export type ForgedReason =
  /** The ledger that it names holds no such incoming payment. */
  | 'not_on_ledger'
  /** The ledger holds another amount or asset there. */
  | 'differs'
  /** The ledger holds it, at an account that is not the one, or not the merchant's. */
  | 'of_another_account'
  /** An event before it has recorded the same incoming payment. */
  | 'recorded_twice'
  /** A payment was confirmed for another amount than its incoming payments. */
  | 'not_covered'

export type Forged = Pick<Claim, 'subject' | 'stream' | 'revision' | 'merchantId'> & {
  readonly reason: ForgedReason
  readonly transactionHash: string
}

/**
 * Compares what events claim with the incoming payments that ledgers hold, each by its own record: transaction, operation,
 * account, asset and amount. Of a sum, the first payment must be there, and be no more than it.
 */
export const proveClaims = (
  claims: ReadonlyArray<Claim>,
  movements: ReadonlyArray<Movement>,
  ownerOf: ReadonlyMap<AccountId, string>,
): ReadonlyArray<Forged> => {
  const held = Map.groupBy(movements.filter(isCredit), (movement) => incomingPaymentKey(positionOf(movement)))
  const claimed = new Set<string>()
  return claims.flatMap((claim) => {
    const reason = claimed.has(claim.key) ? 'recorded_twice' : refuted(claim, held.get(claim.key) ?? [], ownerOf)
    claimed.add(claim.key)
    const { subject, stream, revision, merchantId, transactionHash } = claim
    return reason === null ? [] : [{ reason, subject, stream, revision, merchantId, transactionHash }]
  })
}

const refuted = (
  { account, merchantId, ledger, assetId, amount, sum }: Claim,
  found: ReadonlyArray<Movement>,
  ownerOf: ReadonlyMap<AccountId, string>,
): ForgedReason | null => {
  const there = found.filter((movement) => movement.ledger === ledger)
  if (there.length === 0) return 'not_on_ledger'
  const own = there.filter((movement) =>
    account === null ? ownerOf.get(movement.account) === merchantId : movement.account === account,
  )
  if (own.length === 0) return 'of_another_account'
  const isSame = ({ assetId: heldAsset, delta }: Movement) =>
    heldAsset === assetId && (sum === null ? delta === amount : delta <= amount)
  return own.some(isSame) ? null : 'differs'
}
