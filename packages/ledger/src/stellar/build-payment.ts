import {
  type AccountId,
  type AssetId,
  decimalFromStroops,
  type Stroops,
  type TransactionHash,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import { Account, Memo, Operation, TransactionBuilder, type xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { sdkAsset } from './assets.ts'
import { transactionHash } from './transaction-hash.ts'

/** How long a customer's transaction may wait for its signature and its ledger. */
export const CUSTOMER_TRANSACTION_LIFETIME_MS = 300_000

const MEMO_TEXT_BYTES = 28

/**
 * A payment to be signed by its source. `accountSequence` is the last one the source used, as `AccountView` gives it.
 * `ledgerClosedAt` is the close time of the newest ledger: time bounds follow the network's clock, never a machine's.
 * `fee` is in stroops.
 */
export type PaymentOrder = {
  readonly sourceAccount: AccountId
  readonly accountSequence: bigint
  readonly destination: AccountId
  readonly assetId: AssetId
  readonly amount: Stroops
  readonly memoText: string
  readonly ledgerClosedAt: UnixMs
  readonly lifetimeMs: number
  readonly fee: Stroops
  readonly networkPassphrase: string
}

/** A payment in another asset than arrives: at most `sendMax` of `sendAsset`, exchanged through the assets of `path`. */
export type PathPaymentOrder = PaymentOrder & {
  readonly sendAsset: AssetId
  readonly sendMax: Stroops
  readonly path: ReadonlyArray<AssetId>
}

/** An unsigned transaction. Signing does not change its hash. It can enter no ledger closed after `maxTime`. */
export type UnsignedTransaction = {
  readonly envelopeXdr: string
  readonly transactionHash: TransactionHash
  readonly maxTime: UnixMs
}

export type BuildRejection =
  | { readonly _tag: 'MemoTooLong'; readonly bytes: number }
  | { readonly _tag: 'AmountNotPositive' }

/**
 * Builds one plain payment.
 * Errors: `MemoTooLong` above 28 bytes of UTF-8; `AmountNotPositive`.
 */
export const buildPayment = (order: PaymentOrder): E.Either<BuildRejection, UnsignedTransaction> =>
  unsigned(order, ({ destination, assetId, amount }) =>
    Operation.payment({ destination, asset: sdkAsset(assetId), amount: decimalFromStroops(amount) }),
  )

/** Builds one strict-receive path payment: exactly `amount` of `assetId` arrives, or nothing. Errors: as `buildPayment`. */
export const buildPathPayment = (order: PathPaymentOrder): E.Either<BuildRejection, UnsignedTransaction> =>
  unsigned(order, ({ destination, assetId, amount }) =>
    Operation.pathPaymentStrictReceive({
      sendAsset: sdkAsset(order.sendAsset),
      sendMax: decimalFromStroops(order.sendMax),
      destination,
      destAsset: sdkAsset(assetId),
      destAmount: decimalFromStroops(amount),
      path: order.path.map(sdkAsset),
    }),
  )

const unsigned = (
  order: PaymentOrder,
  operation: (order: PaymentOrder) => xdr.Operation,
): E.Either<BuildRejection, UnsignedTransaction> => {
  const bytes = Buffer.byteLength(order.memoText)
  if (bytes > MEMO_TEXT_BYTES) return E.left({ _tag: 'MemoTooLong', bytes })
  if (order.amount <= 0n) return E.left({ _tag: 'AmountNotPositive' })
  const minTimeSeconds = Math.floor(order.ledgerClosedAt / 1000)
  const maxTimeSeconds = Math.floor((order.ledgerClosedAt + order.lifetimeMs) / 1000)
  const transaction = new TransactionBuilder(new Account(order.sourceAccount, order.accountSequence.toString()), {
    fee: order.fee.toString(),
    networkPassphrase: order.networkPassphrase,
    memo: Memo.text(order.memoText),
    timebounds: { minTime: minTimeSeconds, maxTime: maxTimeSeconds },
  })
    .addOperation(operation(order))
    .build()
  return E.right({
    envelopeXdr: transaction.toXdr(),
    transactionHash: transactionHash(transaction.hash()),
    maxTime: unixMs(maxTimeSeconds * 1000),
  })
}
