import { xdr } from '@stellar/stellar-sdk'
import { baseFee, sha256 } from '../network.ts'
import type { SignedTransaction } from './envelope.ts'
import type { Kind } from './fee-bid.ts'
import { kindOf } from './fees.ts'

/** A ledger's transactions in the order of application, and the set that fixes this order by its hash. */
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

const xored = (one: Uint8Array, other: Uint8Array): Uint8Array => one.map((byte, at) => byte ^ (other[at] ?? 0))

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
 * One phase of classic transactions in hash order, and one of contract calls. The calls do not run in parallel here, so
 * they form one cluster of one stage.
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
 * Orders transactions by their hash mixed with the set's, so that nobody can choose a position in a ledger. An account
 * has at most one transaction in a set, so sequence numbers stay in order. Contract calls come last. `prices` are the
 * fees per operation in stroops.
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
    sortedBy(phase, (each) => xored(envelopeHash(each), hash))
  return { set, hash, applied: [...shuffled(phases.classic), ...shuffled(phases.calls)] }
}
