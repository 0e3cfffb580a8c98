import { type LedgerSequence, OperationIndex, stroops, type UnixMs } from '@quittance/domain'
import type { xdr } from '@stellar/stellar-sdk'
import type { Credit } from '../../credit.ts'
import type { WatchedAccounts } from '../../gateway.ts'
import { named } from '../../named.ts'
import { addressOf } from '../addresses.ts'
import type { AppliedTransaction } from '../close-meta.ts'
import { signedTransaction } from '../envelope.ts'
import { memoOf } from '../memo.ts'
import { createAccountTransfer } from './create-account.ts'
import { paymentTransfer } from './payment.ts'
import { deliveredTo, type Transfer } from './transfer.ts'

/** The ways of being paid that we follow: one file each. */
const transferOf = (body: xdr.OperationBody): Transfer | null => {
  if (body.type === 'payment') return paymentTransfer(body.paymentOp)
  if (body.type === 'createAccount') return createAccountTransfer(body.createAccountOp)
  return null
}

const isSuccessful = ({ result }: xdr.TransactionResult): boolean =>
  result.type === 'txSuccess' || result.type === 'txFeeBumpInnerSuccess'

/**
 * What a transaction brought to the watched accounts, one credit an operation. A failed transaction brings nothing,
 * whatever its operations' own results say: those are of an attempt that was rolled back.
 */
export const creditsOf = (
  transaction: AppliedTransaction,
  ledger: { readonly sequence: LedgerSequence; readonly closedAt: UnixMs },
  watched: WatchedAccounts,
): ReadonlyArray<Credit> => {
  if (!isSuccessful(transaction.result)) return []
  const { source, memo, operations } = signedTransaction(transaction.envelope)
  return operations.flatMap(({ sourceAccount, body }, operationIndex) => {
    const transfer = transferOf(body)
    if (transfer === null || !watched.has(transfer.destination.account)) return []
    const { destination, assetId } = transfer
    const changes = transaction.operations[operationIndex]?.changes ?? []
    const amount = deliveredTo(destination.account, assetId, changes)
    if (amount <= 0n) return []
    const from = sourceAccount === null ? source : addressOf(sourceAccount)
    return [
      {
        transactionHash: transaction.transactionHash,
        innerHash: transaction.innerHash,
        operationIndex: named(OperationIndex, operationIndex),
        ledger: ledger.sequence,
        closedAt: ledger.closedAt,
        from: from.account,
        fromMuxedId: from.muxedId,
        destination: destination.account,
        muxedId: destination.muxedId,
        assetId,
        amount: stroops(amount),
        memo: memoOf(memo),
      },
    ]
  })
}
