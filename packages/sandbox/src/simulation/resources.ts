import { xdr } from '@stellar/stellar-sdk'
import { measureOf } from '../ledger/contract-transaction.ts'
import type { SignedTransaction } from '../ledger/envelope.ts'
import { nonRefundableFee } from '../ledger/resource-fees.ts'

/** The resources that a simulated transaction needs. `refundable` covers rent and events, in stroops. */
export type Needs = {
  readonly footprint: xdr.LedgerFootprint
  readonly instructions?: number
  readonly diskReadBytes?: number
  readonly writeBytes?: number
  readonly refundable: bigint
  readonly archived?: ReadonlyArray<number>
  readonly auth?: ReadonlyArray<xdr.SorobanAuthorizationEntry>
}

/** Bytes that signing will add: 20 signatures of 72 bytes, and the signatures of authorized calls. */
const unsignedBytes = 20 * 72
const bytesPerAuth = 200

/** Adds a margin of 15 % for the ledger that will hold the transaction. */
const withMargin = (refundable: bigint): bigint => (refundable * 115n + 99n) / 100n

const dataOf = (
  { footprint, instructions = 0, diskReadBytes = 0, writeBytes = 0, archived = [] }: Needs,
  resourceFee: bigint,
): xdr.SorobanTransactionData =>
  new xdr.SorobanTransactionData({
    ext:
      archived.length === 0
        ? xdr.SorobanTransactionDataExt.v0()
        : xdr.SorobanTransactionDataExt.resourceExt(
            new xdr.SorobanResourcesExtV0({ archivedSorobanEntries: [...archived] }),
          ),
    resources: new xdr.SorobanResources({ footprint, instructions, diskReadBytes, writeBytes }),
    resourceFee,
  })

/**
 * The declaration of a transaction with these needs, and the minimum fee for it, which allows for many signatures; the
 * unused part is refunded.
 */
export const declarationOf = (signed: SignedTransaction, needs: Needs) => {
  const unpaid = dataOf(needs, 0n)
  const { auth } = needs
  const operations = signed.transaction.operations.map((each) =>
    each.body.type === 'invokeHostFunction' && auth !== undefined
      ? new xdr.Operation({
          ...each,
          body: xdr.OperationBody.invokeHostFunction(
            new xdr.InvokeHostFunctionOp({ ...each.body.invokeHostFunctionOp, auth: [...auth] }),
          ),
        })
      : each,
  )
  const ext = xdr.TransactionExt.sorobanData(unpaid)
  const transaction = new xdr.Transaction({ ...signed.transaction, operations, ext })
  const { size, isRestoration } = measureOf({ transaction, signatures: [] })
  const signedSize = size + unsignedBytes + bytesPerAuth * (auth?.length ?? 0)
  const fee = nonRefundableFee(unpaid, { size: signedSize, isRestoration }) + withMargin(needs.refundable)
  return { transactionData: dataOf(needs, fee).toXdr('base64'), minResourceFee: fee.toString() }
}
