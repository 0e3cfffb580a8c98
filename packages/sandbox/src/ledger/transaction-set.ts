import { xdr } from '@stellar/stellar-sdk'
import { baseFee, sha256 } from '../network.ts'
import type { SignedTransaction } from './envelope.ts'
import type { Kind } from './fee-bid.ts'
import { kindOf } from './fees.ts'

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

type Prices = Readonly<Record<Kind, bigint>>
type Phases = { readonly classic: ReadonlyArray<SignedTransaction>; readonly calls: ReadonlyArray<SignedTransaction> }

const phasesOf = (sorted: ReadonlyArray<SignedTransaction>): Phases => ({
  classic: sorted.filter((each) => kindOf(each) === 'classic'),
  calls: sorted.filter((each) => kindOf(each) === 'contract'),
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
  prices: Prices,
): xdr.GeneralizedTransactionSet => {
  const component = new xdr.TxSetComponentTxsMaybeDiscountedFee({ baseFee: prices.classic, txs: envelopesOf(classic) })
  const components = classic.length === 0 ? [] : [xdr.TxSetComponent.txsetCompTxsMaybeDiscountedFee(component)]
  const contracts = new xdr.ParallelTxsComponent({
    baseFee: calls.length === 0 ? null : prices.contract,
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
 * after all others. `prices` are what an operation of each kind costs in this ledger, in stroops.
 */
export const orderedSet = (
  previousHash: Uint8Array,
  signed: ReadonlyArray<SignedTransaction>,
  prices: Prices = { classic: baseFee, contract: baseFee },
): OrderedSet => {
  const phases = phasesOf(sortedBy(signed, envelopeHash))
  const set = setOf(previousHash, phases, prices)
  const hash = sha256(set.toXdr())
  const shuffled = (phase: ReadonlyArray<SignedTransaction>) =>
    sortedBy(phase, (each) => mixed(envelopeHash(each), hash))
  return { set, hash, applied: [...shuffled(phases.classic), ...shuffled(phases.calls)] }
}
