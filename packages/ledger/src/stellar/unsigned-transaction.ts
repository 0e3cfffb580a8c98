import { type AccountId, type Stroops, type TransactionHash, type UnixMs, unixMs } from '@quittance/domain'
import { Account, Memo, TransactionBuilder, type xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { transactionHash } from './transaction-hash.ts'

const MEMO_TEXT_BYTES = 28

/**
 * The parts of our transactions besides operations. `accountSequence` is the last sequence number that `sourceAccount`
 * used; the transaction takes one more. `ledgerClosedAt` is the close time of the newest ledger: time bounds follow the
 * network's clock, never a machine's. `fee` is the most that one operation may cost, in stroops. `memoText` is null for
 * no memo; `memoId` is a numeric memo (unsigned decimal digits of 64 bits) in its place.
 */
export type TransactionFrame = {
  readonly sourceAccount: AccountId
  readonly accountSequence: bigint
  readonly memoText: string | null
  readonly memoId?: string
  readonly ledgerClosedAt: UnixMs
  readonly lifetimeMs: number
  readonly fee: Stroops
  readonly networkPassphrase: string
}

/** An unsigned transaction. Signing does not change its hash. It can enter no ledger closed after `maxTime`. */
export type UnsignedTransaction = {
  readonly envelopeXdr: string
  readonly transactionHash: TransactionHash
  readonly maxTime: UnixMs
}

export type MemoTooLong = { readonly _tag: 'MemoTooLong'; readonly bytes: number }

/** Builds a transaction of these operations. Errors: `MemoTooLong` above 28 bytes of UTF-8. */
export const unsignedTransaction = (
  frame: TransactionFrame,
  operations: ReadonlyArray<xdr.Operation>,
): E.Either<MemoTooLong, UnsignedTransaction> => {
  const { memoText, memoId } = frame
  const bytes = Buffer.byteLength(memoText ?? '')
  if (bytes > MEMO_TEXT_BYTES) return E.left({ _tag: 'MemoTooLong', bytes })
  if (memoId !== undefined) return E.right(built(frame, operations, Memo.id(memoId), null))
  return E.right(built(frame, operations, memoText === null ? Memo.none() : Memo.text(memoText), null))
}

/** Builds a transaction without a memo, which takes the number `nextAccountSequence`. */
export const withoutMemo = (
  order: Omit<TransactionFrame, 'accountSequence' | 'memoText'> & { readonly nextAccountSequence: bigint },
  operations: ReadonlyArray<xdr.Operation>,
): UnsignedTransaction =>
  built({ ...order, accountSequence: order.nextAccountSequence - 1n }, operations, Memo.none(), null)

/** Builds a transaction with a memo of 32 bytes, which takes the number `nextAccountSequence`. */
export const withHashMemo = (
  order: Omit<TransactionFrame, 'accountSequence' | 'memoText'> & { readonly nextAccountSequence: bigint },
  operations: ReadonlyArray<xdr.Operation>,
  hash: Uint8Array,
): UnsignedTransaction =>
  built({ ...order, accountSequence: order.nextAccountSequence - 1n }, operations, Memo.hash(Buffer.from(hash)), null)

/**
 * Builds a transaction without a memo, since contract calls take none. `transactionData` holds the resources of the
 * call (base64 `SorobanTransactionData`), whose fee comes on top of the frame's; null before the simulation.
 */
export const unsignedCall = (
  frame: Omit<TransactionFrame, 'memoText' | 'memoId'>,
  operation: xdr.Operation,
  transactionData: string | null,
): UnsignedTransaction => built(frame, [operation], Memo.none(), transactionData)

const built = (
  frame: Omit<TransactionFrame, 'memoText' | 'memoId'>,
  operations: ReadonlyArray<xdr.Operation>,
  memo: Memo,
  transactionData: string | null,
): UnsignedTransaction => {
  const { sourceAccount, accountSequence, ledgerClosedAt, lifetimeMs, fee, networkPassphrase } = frame
  const minTime = Math.floor(ledgerClosedAt / 1000)
  const maxTime = Math.floor((ledgerClosedAt + lifetimeMs) / 1000)
  const builder = new TransactionBuilder(new Account(sourceAccount, accountSequence.toString()), {
    fee: fee.toString(),
    networkPassphrase,
    memo,
    timebounds: { minTime, maxTime },
  })
  for (const operation of operations) builder.addOperation(operation)
  if (transactionData !== null) builder.setSorobanData(transactionData)
  const transaction = builder.build()
  return {
    envelopeXdr: transaction.toXdr(),
    transactionHash: transactionHash(transaction.hash()),
    maxTime: unixMs(maxTime * 1000),
  }
}
