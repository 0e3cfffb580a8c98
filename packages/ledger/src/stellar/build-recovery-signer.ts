import type { AccountId } from '@quittance/domain'
import { Operation, type xdr } from '@stellar/stellar-sdk'
import { type Authority, heaviestThreshold, payingThreshold, weightOf } from '../gateway.ts'
import { sponsored } from './build-set-up.ts'
import { type TransactionFrame, type UnsignedTransaction, withoutMemo } from './unsigned-transaction.ts'

/**
 * The signer `signer` of an account, in place of the signers `former`. `isProtected`: the keys `own` go on to pay, and only the
 * new signer may change signers and thresholds, or merge the account. Otherwise each of them may do everything alone. A
 * `sponsor` keeps the reserve of the new signer (CAP-33), and signs too.
 */
export type RecoverySignerOrder = Omit<TransactionFrame, 'accountSequence' | 'memoText'> & {
  readonly nextAccountSequence: bigint
  readonly account: AccountId
  readonly authority: Authority
  readonly own: ReadonlyArray<AccountId>
  readonly signer: AccountId
  readonly former: ReadonlyArray<AccountId>
  readonly isProtected: boolean
  readonly sponsor: AccountId | null
}

/** Whether a signer alone reaches the high threshold of an account, and each key `own` alone stays below it. */
export const keepsSigners = (authority: Authority, signer: string, own: ReadonlyArray<string>): boolean =>
  authority.highThreshold > Math.max(payingThreshold(authority) - 1, ...own.map((key) => weightOf(authority, key))) &&
  weightOf(authority, signer) >= authority.highThreshold

/** Builds the transaction that adds the recovery signer to an account. */
export const buildRecoverySigner = (order: RecoverySignerOrder): UnsignedTransaction => {
  const { account, sponsor } = order
  const operations = operationsOf(order)
  return withoutMemo(order, sponsor === null ? operations : sponsored(sponsor, account, operations))
}

/** A signer goes before the new one comes, whose reserve it frees. */
const operationsOf = (order: RecoverySignerOrder): ReadonlyArray<xdr.Operation> => {
  const { account, authority, own, signer, former, isProtected } = order
  const removed = former
    .filter((key) => key !== signer && weightOf(authority, key) > 0)
    .map((key) => Operation.setOptions({ source: account, signer: { ed25519PublicKey: key, weight: 0 } }))
  const paying = payingThreshold(authority)
  const above = Math.max(paying, ...own.map((key) => weightOf(authority, key))) + 1
  const weight = isProtected ? above : heaviestThreshold(authority)
  const thresholds = isProtected ? { lowThreshold: paying, medThreshold: paying, highThreshold: above } : {}
  const added = Operation.setOptions({
    source: account,
    signer: { ed25519PublicKey: signer, weight },
    ...thresholds,
  })
  return [...removed, added]
}
