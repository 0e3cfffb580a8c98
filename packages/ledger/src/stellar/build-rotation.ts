import type { AccountId } from '@quittance/domain'
import { Operation, type xdr } from '@stellar/stellar-sdk'
import { type Authority, heaviestThreshold } from '../gateway.ts'
import { sponsored } from './build-set-up.ts'
import { type TransactionFrame, type UnsignedTransaction, withoutMemo } from './unsigned-transaction.ts'

/**
 * The key `to` gets an account's full weight, and the keys `from` lose theirs, as far as they have any; other signers stay. A
 * `sponsor` keeps the reserve of the new signer (CAP-33), and signs too.
 */
export type RotationOrder = Omit<TransactionFrame, 'accountSequence' | 'memoText'> & {
  readonly nextAccountSequence: bigint
  readonly account: AccountId
  readonly authority: Authority
  readonly from: ReadonlyArray<AccountId>
  readonly to: AccountId
  readonly sponsor: AccountId | null
}

/**
 * Builds a transaction that rotates the key of an account. The network checks all signatures before the first operation, so the
 * keys that lose their weight sign it. A signer goes before the new one comes, whose reserve it frees; the account's own key
 * is no signer entry, and goes with the operation that adds the new one.
 */
export const buildRotation = (order: RotationOrder): UnsignedTransaction => {
  const { account, sponsor } = order
  const operations = operationsOf(order)
  return withoutMemo(order, sponsor === null ? operations : sponsored(sponsor, account, operations))
}

const operationsOf = ({ account, authority, from, to }: RotationOrder): ReadonlyArray<xdr.Operation> => {
  const losing = authority.signers.filter(({ key, weight }) => weight > 0 && key !== to && from.some((k) => k === key))
  const removed = losing
    .filter(({ key }) => key !== account)
    .map(({ key }) => Operation.setOptions({ source: account, signer: { ed25519PublicKey: key, weight: 0 } }))
  const isOwnKeyLosing = losing.some(({ key }) => key === account)
  const added = Operation.setOptions({
    source: account,
    signer: { ed25519PublicKey: to, weight: heaviestThreshold(authority) },
    ...(isOwnKeyLosing ? { masterWeight: 0 } : {}),
  })
  return [...removed, added]
}
