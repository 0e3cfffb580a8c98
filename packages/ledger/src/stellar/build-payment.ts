import { type AccountId, type AssetId, decimalFromStroops, type Stroops } from '@quittance/domain'
import { Operation, type xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { sdkAsset } from './assets.ts'
import {
  type MemoTooLong,
  type TransactionFrame,
  type UnsignedTransaction,
  unsignedTransaction,
} from './unsigned-transaction.ts'

/** How long a customer's transaction may wait for its signature and its ledger. */
export const CUSTOMER_TRANSACTION_LIFETIME_MS = 300_000

/** A payment for its source account to sign. */
export type PaymentOrder = TransactionFrame & {
  readonly destination: AccountId
  readonly assetId: AssetId
  readonly amount: Stroops
}

/** A payment that sends at most `sendMax` of `sendAsset`, exchanged through the assets of `path`. */
export type PathPaymentOrder = PaymentOrder & {
  readonly sendAsset: AssetId
  readonly sendMax: Stroops
  readonly path: ReadonlyArray<AssetId>
}

/** Why a payment cannot be built. */
export type BuildRejection = MemoTooLong | { readonly _tag: 'AmountNotPositive' }

/**
 * Builds one plain payment.
 * Errors: `MemoTooLong` above 28 bytes of UTF-8; `AmountNotPositive`.
 */
export const buildPayment = (order: PaymentOrder): E.Either<BuildRejection, UnsignedTransaction> =>
  unsigned(order, ({ destination, assetId, amount }) =>
    Operation.payment({ destination, asset: sdkAsset(assetId), amount: decimalFromStroops(amount) }),
  )

/**
 * Builds one strict-receive path payment: exactly `amount` of `assetId` arrives, or nothing. Errors: as `buildPayment`.
 */
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
): E.Either<BuildRejection, UnsignedTransaction> =>
  order.amount <= 0n ? E.left({ _tag: 'AmountNotPositive' }) : unsignedTransaction(order, [operation(order)])
