import { xdr } from '@stellar/stellar-sdk'
import { baseFee, sha256 } from '../network.ts'
import { declaredBy } from './contract-transaction.ts'
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

type Phases = { readonly classic: ReadonlyArray<SignedTransaction>; readonly calls: ReadonlyArray<SignedTransaction> }

const phasesOf = (sorted: ReadonlyArray<SignedTransaction>): Phases => ({
  classic: sorted.filter(({ transaction }) => declaredBy(transaction) === undefined),
  calls: sorted.filter(({ transaction }) => declaredBy(transaction) !== undefined),
})

const envelopeHash = ({ envelope }: SignedTransaction): Uint8Array => sha256(envelope.toXdr())

const envelopesOf = (signed: ReadonlyArray<SignedTransaction>): xdr.TransactionEnvelope[] =>
  signed.map(({ envelope }) => envelope)

/**
 * One phase of ordinary transactions in the order of their hashes, and one of contract calls: these are not run in
 * parallel here, so that they are one cluster of one stage.
 */
const setOf = (
  previousLedgerHash: Uint8Array,
  { classic, calls }: Phases,
  clearingFee: bigint,
): xdr.GeneralizedTransactionSet => {
  const component = new xdr.TxSetComponentTxsMaybeDiscountedFee({ baseFee: clearingFee, txs: envelopesOf(classic) })
  const components = classic.length === 0 ? [] : [xdr.TxSetComponent.txsetCompTxsMaybeDiscountedFee(component)]
  const contracts = new xdr.ParallelTxsComponent({
    baseFee: calls.length === 0 ? null : clearingFee,
    executionStages: calls.length === 0 ? [] : [[envelopesOf(calls)]],
  })
  return xdr.GeneralizedTransactionSet.v1TxSet(
    new xdr.TransactionSetV1({
      previousLedgerHash,
      phases: [xdr.TransactionPhase.v0Components(components), xdr.TransactionPhase.parallelTxsComponent(contracts)],
    }),
  )
}

/**
 * Nobody can choose a place in a ledger: the order of application mixes each transaction's hash with the set's. At most
 * one transaction of an account is in a set, so sequence numbers stay in order whatever the shuffle. Contract calls come
 * after all others. `clearingFee` is what each of its operations costs, in stroops.
 */
export const orderedSet = (
  previousHash: Uint8Array,
  signed: ReadonlyArray<SignedTransaction>,
  clearingFee = baseFee,
): OrderedSet => {
  const phases = phasesOf(sortedBy(signed, envelopeHash))
  const set = setOf(previousHash, phases, clearingFee)
  const hash = sha256(set.toXdr())
  const shuffled = (phase: ReadonlyArray<SignedTransaction>) =>
    sortedBy(phase, (each) => mixed(envelopeHash(each), hash))
  return { set, hash, applied: [...shuffled(phases.classic), ...shuffled(phases.calls)] }
}
