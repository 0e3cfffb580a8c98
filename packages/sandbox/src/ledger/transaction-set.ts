import { xdr } from '@stellar/stellar-sdk'
import { baseFee, sha256 } from '../network.ts'
import type { SignedTransaction } from './envelope.ts'

/** The transactions of a ledger in the order they are applied in, and the set that fixes this order by its hash. */
export type OrderedSet = {
  readonly set: xdr.GeneralizedTransactionSet
  readonly hash: Uint8Array
  readonly applied: ReadonlyArray<SignedTransaction>
}

const sortedBy = <A>(values: ReadonlyArray<A>, keyOf: (value: A) => Uint8Array): ReadonlyArray<A> =>
  values
    .map((value) => ({ value, key: keyOf(value) }))
    .sort((one, other) => Buffer.compare(one.key, other.key))
    .map(({ value }) => value)

const mixed = (one: Uint8Array, other: Uint8Array): Uint8Array => one.map((byte, at) => byte ^ (other[at] ?? 0))

const envelopeHash = ({ envelope }: SignedTransaction): Uint8Array => sha256(envelope.toXdr())

/** One phase of ordinary transactions in the order of their hashes, and an empty one where contract calls belong. */
const setOf = (
  previousLedgerHash: Uint8Array,
  txs: xdr.TransactionEnvelope[],
  clearingFee: bigint,
): xdr.GeneralizedTransactionSet => {
  const component = new xdr.TxSetComponentTxsMaybeDiscountedFee({ baseFee: clearingFee, txs })
  const components = txs.length === 0 ? [] : [xdr.TxSetComponent.txsetCompTxsMaybeDiscountedFee(component)]
  const contracts = new xdr.ParallelTxsComponent({ baseFee: null, executionStages: [] })
  return xdr.GeneralizedTransactionSet.v1TxSet(
    new xdr.TransactionSetV1({
      previousLedgerHash,
      phases: [xdr.TransactionPhase.v0Components(components), xdr.TransactionPhase.parallelTxsComponent(contracts)],
    }),
  )
}

/**
 * Nobody can choose a place in a ledger: the order of application mixes each transaction's hash with the set's. At most
 * one transaction of an account is in a set, so sequence numbers stay in order whatever the shuffle. `clearingFee` is
 * what each of its operations costs, in stroops.
 */
export const orderedSet = (
  previousHash: Uint8Array,
  signed: ReadonlyArray<SignedTransaction>,
  clearingFee = baseFee,
): OrderedSet => {
  const sorted = sortedBy(signed, envelopeHash)
  const set = setOf(
    previousHash,
    sorted.map(({ envelope }) => envelope),
    clearingFee,
  )
  const hash = sha256(set.toXdr())
  return { set, hash, applied: sortedBy(sorted, (each) => mixed(envelopeHash(each), hash)) }
}
