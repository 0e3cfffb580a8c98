import {
  type AccountId,
  type AssetId,
  type Stroops,
  stroops,
  type TransactionHash,
  type UnixMs,
} from '@quittance/domain'
import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { Memo } from '../incoming-payment.ts'
import { type Address, addressOf } from './addresses.ts'
import { assetIdOf } from './assets.ts'
import { maxTimeOf, signedTransaction } from './envelope.ts'
import { memoOf } from './memo.ts'
import { networkId, transactionHashes } from './transaction-hash.ts'

/**
 * A requested payment. `assetId` is the asset that arrives, `amount` how much of it, or at least how much for a
 * strict-send path payment.
 */
export type RequestedPayment = {
  readonly kind: 'payment' | 'path_payment'
  readonly operationIndex: number
  readonly from: AccountId
  readonly destination: AccountId
  readonly muxedId: string | null
  readonly assetId: AssetId
  readonly amount: Stroops
}

/**
 * The requests of a transaction, as far as we need them. For a fee bump, `transactionHash` is the outer hash, and all
 * but `innerHash` comes from the inner transaction. `payments` holds payments and path payments only: compare its
 * length with `operationCount` before trusting that there is nothing else. `maxTime` is null where the transaction
 * never expires.
 */
export type EnvelopeView = {
  readonly transactionHash: TransactionHash
  readonly innerHash: TransactionHash | null
  readonly source: AccountId
  readonly memo: Memo
  readonly payments: ReadonlyArray<RequestedPayment>
  readonly operationCount: number
  readonly maxTime: UnixMs | null
  readonly signatureCount: number
}

/** Not the canonical base64 of a transaction envelope. `cause` is for the log. */
export type MalformedEnvelope = { readonly _tag: 'MalformedEnvelope'; readonly cause: string }

type Payee = Pick<RequestedPayment, 'kind' | 'amount'> & {
  readonly destination: xdr.MuxedAccount
  readonly asset: xdr.Asset
}

const payeeOf = (body: xdr.OperationBody): Payee | null => {
  if (body.type === 'payment') {
    const { destination, asset, amount } = body.paymentOp
    return { kind: 'payment', destination, asset, amount: stroops(amount) }
  }
  if (body.type === 'pathPaymentStrictReceive') {
    const { destination, destAsset, destAmount } = body.pathPaymentStrictReceiveOp
    return { kind: 'path_payment', destination, asset: destAsset, amount: stroops(destAmount) }
  }
  if (body.type === 'pathPaymentStrictSend') {
    const { destination, destAsset, destMin } = body.pathPaymentStrictSendOp
    return { kind: 'path_payment', destination, asset: destAsset, amount: stroops(destMin) }
  }
  return null
}

const paymentsOf = (source: Address, operations: ReadonlyArray<xdr.Operation>): ReadonlyArray<RequestedPayment> =>
  operations.flatMap(({ sourceAccount, body }, operationIndex) => {
    const payee = payeeOf(body)
    if (payee === null) return []
    const { kind, destination, asset, amount } = payee
    const { account, muxedId } = addressOf(destination)
    const from = sourceAccount === null ? source : addressOf(sourceAccount)
    return [
      { kind, operationIndex, from: from.account, destination: account, muxedId, assetId: assetIdOf(asset), amount },
    ]
  })

/**
 * Reads a transaction envelope from base64 XDR that anyone may have sent. Never throws.
 * Errors: `MalformedEnvelope`, also for bytes that do not encode back to the same text, since the relayed bytes must be
 * the ones that were read.
 */
export const readEnvelope = (
  envelopeXdr: string,
  networkPassphrase: string,
): E.Either<MalformedEnvelope, EnvelopeView> =>
  E.tryCatch(
    () => {
      const envelope = xdr.TransactionEnvelope.fromXdr(envelopeXdr, 'base64')
      if (envelope.toXdr('base64') !== envelopeXdr) throw new Error('not canonical')
      const transaction = signedTransaction(envelope)
      const { source, memo, operations, signatures } = transaction
      return {
        ...transactionHashes(networkId(networkPassphrase), envelope),
        source: source.account,
        memo: memoOf(memo),
        payments: paymentsOf(source, operations),
        operationCount: operations.length,
        maxTime: maxTimeOf(transaction),
        signatureCount: signatures.length,
      }
    },
    (thrown) => ({ _tag: 'MalformedEnvelope', cause: String(thrown) }),
  )
