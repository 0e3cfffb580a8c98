import { xdr } from '@stellar/stellar-sdk'
import { baseFee } from '../network.ts'
import type { ClosingLedger } from './draft.ts'
import type { SignedTransaction } from './envelope.ts'

/** The operations a transaction counts for; a fee bump is one more. */
export const operationCount = ({ transaction, feeBump }: SignedTransaction): number =>
  transaction.operations.length + (feeBump === undefined ? 0 : 1)

/** The least fee of a transaction in a ledger, in stroops, which is also what it is charged. */
export const leastFee = (signed: SignedTransaction, { baseFee: least = baseFee }: ClosingLedger): bigint =>
  least * BigInt(Math.max(1, operationCount(signed)))

/** What is offered at most, in stroops. */
export const offeredFee = ({ transaction, feeBump }: SignedTransaction): bigint =>
  feeBump?.fee ?? BigInt(transaction.fee)

export const feeSourceOf = ({ source, feeBump }: SignedTransaction): xdr.PublicKey => feeBump?.feeSource ?? source

const quotientUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor

/**
 * What a transaction would have to offer so that it offers `times` as much for each operation as another one does, in
 * stroops, or undefined where it does.
 */
export const feeMissing = (
  signed: SignedTransaction,
  other: { readonly fee: bigint; readonly operations: number },
  times: bigint,
): bigint | undefined => {
  const dividend = times * other.fee * BigInt(operationCount(signed))
  const divisor = BigInt(Math.max(1, other.operations))
  return offeredFee(signed) * divisor >= dividend ? undefined : quotientUp(dividend, divisor)
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
