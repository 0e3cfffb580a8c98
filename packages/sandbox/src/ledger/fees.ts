import { xdr } from '@stellar/stellar-sdk'
import { divideUp } from '../divide-up.ts'
import { baseFee } from '../network.ts'
import { declaredBy, resourceFeeOf } from './contract-transaction.ts'
import type { ClosingLedger } from './draft.ts'
import type { SignedTransaction } from './envelope.ts'
import type { FeeBid, Kind } from './fee-bid.ts'

/** The operations of a transaction; a fee bump counts as one more. */
export const operationCount = ({ transaction, feeBump }: SignedTransaction): number =>
  transaction.operations.length + (feeBump === undefined ? 0 : 1)

export const kindOf = ({ transaction }: SignedTransaction): Kind =>
  declaredBy(transaction) === undefined ? 'classic' : 'contract'

export const bidOf = (signed: SignedTransaction): FeeBid => ({
  fee: offeredInclusion(signed),
  operations: operationCount(signed),
})

/** The minimum inclusion fee in stroops. */
export const inclusionFee = (signed: SignedTransaction, { baseFee: least = baseFee }: ClosingLedger): bigint =>
  least * BigInt(Math.max(1, operationCount(signed)))

/** The minimum fee in stroops: inclusion and declared resources. */
export const leastFee = (signed: SignedTransaction, ledger: ClosingLedger): bigint =>
  inclusionFee(signed, ledger) + resourceFeeOf(signed.transaction)

/**
 * The fee charged at first, in stroops: the ledger's price per operation, at most the bid, and the declared resources.
 */
export const chargedFee = (signed: SignedTransaction, ledger: ClosingLedger): bigint => {
  const price = ledger.prices?.[kindOf(signed)] ?? ledger.baseFee ?? baseFee
  const asked = price * BigInt(Math.max(1, operationCount(signed)))
  const offered = offeredInclusion(signed)
  return (asked < offered ? asked : offered) + resourceFeeOf(signed.transaction)
}

/** The maximum fee offered, in stroops, including resources. */
export const offeredFee = ({ transaction, feeBump }: SignedTransaction): bigint =>
  feeBump?.fee ?? BigInt(transaction.fee)

export const feeSourceOf = ({ source, feeBump }: SignedTransaction): xdr.PublicKey => feeBump?.feeSource ?? source

/** The maximum inclusion fee offered, in stroops: transactions compete by this. */
export const offeredInclusion = (signed: SignedTransaction): bigint =>
  offeredFee(signed) - resourceFeeOf(signed.transaction)

/** The fee in stroops with which a transaction would outbid another per operation. */
export const feeToOutbid = (signed: SignedTransaction, { fee, operations }: FeeBid): bigint =>
  (fee * BigInt(Math.max(1, operationCount(signed)))) / BigInt(Math.max(1, operations)) +
  1n +
  resourceFeeOf(signed.transaction)

/**
 * The fee in stroops with which a transaction would bid `times` as much per operation as another; undefined where it
 * already does. Resource fees do not count.
 */
export const feeMissing = (signed: SignedTransaction, other: FeeBid, times: bigint): bigint | undefined => {
  const dividend = times * other.fee * BigInt(operationCount(signed))
  const divisor = BigInt(Math.max(1, other.operations))
  if (offeredInclusion(signed) * divisor >= dividend) return undefined
  return divideUp(dividend, divisor) + resourceFeeOf(signed.transaction)
}

/** Wraps a result in that of the fee bump around it, if there is one; the fee bump bears the fee. */
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
