import { xdr } from '@stellar/stellar-sdk'
import { baseFee } from '../network.ts'
import { declaredBy, resourceFeeOf } from './contract-transaction.ts'
import type { ClosingLedger } from './draft.ts'
import type { SignedTransaction } from './envelope.ts'
import type { FeeBid, Kind } from './fee-bid.ts'

/** The operations a transaction counts for; a fee bump is one more. */
export const operationCount = ({ transaction, feeBump }: SignedTransaction): number =>
  transaction.operations.length + (feeBump === undefined ? 0 : 1)

export const kindOf = ({ transaction }: SignedTransaction): Kind =>
  declaredBy(transaction) === undefined ? 'classic' : 'contract'

export const bidOf = (signed: SignedTransaction): FeeBid => ({
  fee: offeredInclusion(signed),
  operations: operationCount(signed),
})

/** What a transaction pays at the least to be in a ledger, in stroops, whatever it uses there. */
export const inclusionFee = (signed: SignedTransaction, { baseFee: least = baseFee }: ClosingLedger): bigint =>
  least * BigInt(Math.max(1, operationCount(signed)))

/** The least fee of a transaction in a ledger, in stroops: with all it declares. */
export const leastFee = (signed: SignedTransaction, ledger: ClosingLedger): bigint =>
  inclusionFee(signed, ledger) + resourceFeeOf(signed.transaction)

/** What a transaction is charged first, in stroops: its ledger's price of each operation, never more than it offers, and all it declares. */
export const chargedFee = (signed: SignedTransaction, ledger: ClosingLedger): bigint => {
  const price = ledger.prices?.[kindOf(signed)] ?? ledger.baseFee ?? baseFee
  const asked = price * BigInt(Math.max(1, operationCount(signed)))
  const offered = offeredInclusion(signed)
  return (asked < offered ? asked : offered) + resourceFeeOf(signed.transaction)
}

/** What is offered at most, in stroops, with what is offered for resources. */
export const offeredFee = ({ transaction, feeBump }: SignedTransaction): bigint =>
  feeBump?.fee ?? BigInt(transaction.fee)

export const feeSourceOf = ({ source, feeBump }: SignedTransaction): xdr.PublicKey => feeBump?.feeSource ?? source

const quotientUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor

/** What is offered at most to be in a ledger, in stroops: this is what transactions compete by. */
export const offeredInclusion = (signed: SignedTransaction): bigint =>
  offeredFee(signed) - resourceFeeOf(signed.transaction)

/** What a transaction would have to offer, in stroops, to bid more for an operation than another one. */
export const feeToOutbid = (signed: SignedTransaction, { fee, operations }: FeeBid): bigint =>
  (fee * BigInt(Math.max(1, operationCount(signed)))) / BigInt(Math.max(1, operations)) +
  1n +
  resourceFeeOf(signed.transaction)

/**
 * What a transaction would have to offer so that it offers `times` as much for each operation as another one does, in
 * stroops, or undefined where it does. What is offered for resources does not count.
 */
export const feeMissing = (signed: SignedTransaction, other: FeeBid, times: bigint): bigint | undefined => {
  const dividend = times * other.fee * BigInt(operationCount(signed))
  const divisor = BigInt(Math.max(1, other.operations))
  if (offeredInclusion(signed) * divisor >= dividend) return undefined
  return quotientUp(dividend, divisor) + resourceFeeOf(signed.transaction)
}

/** What a transaction comes to, inside the result of the fee bump around it if there is one; that one bears the fee. */
export const outerResult = (
  { innerHash, feeBump }: SignedTransaction,
  result: xdr.TransactionResultResult,
): xdr.TransactionResultResult => {
  if (feeBump === undefined) return result
  const pair = new xdr.InnerTransactionResultPair({
    transactionHash: innerHash,
    result: new xdr.InnerTransactionResult({
      feeCharged: 0n,
      result: xdr.InnerTransactionResultResult.fromXdr(result.toXdr()),
      ext: xdr.InnerTransactionResultExt.v0(),
    }),
  })
  return result.type === 'txSuccess'
    ? xdr.TransactionResultResult.txFeeBumpInnerSuccess(pair)
    : xdr.TransactionResultResult.txFeeBumpInnerFailed(pair)
}
