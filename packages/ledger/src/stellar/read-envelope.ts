import {
  type AccountId,
  type AssetId,
  type Stroops,
  stroops,
  type TransactionHash,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { Memo } from '../credit.ts'
import { type Address, addressOf } from './addresses.ts'
import { assetIdOf } from './assets.ts'
import { type SignedTransaction, signedTransaction } from './envelope.ts'
import { memoOf } from './memo.ts'
import { networkId, transactionHashes } from './transaction-hash.ts'

/** A plain payment that a transaction asks for. */
export type RequestedPayment = {
  readonly operationIndex: number
  readonly from: AccountId
  readonly destination: AccountId
  readonly muxedId: string | null
  readonly assetId: AssetId
  readonly amount: Stroops
}

/**
 * What a transaction would do, as far as we need it. Of a fee bump, `transactionHash` is the outer hash and everything
 * but `innerHash` is read from the transaction inside. `payments` holds plain payments only: compare its length with
 * `operationCount` before trusting that there is nothing else. `maxTime` is null where the transaction never expires.
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

/** The last moment a `UnixMs` can name. */
const LAST_MOMENT = 8_640_000_000_000_000n

/** 0 means no bound on the network; one that no clock of ours can hold is none either. */
const maxTimeOf = ({ timeBounds }: SignedTransaction): UnixMs | null => {
  const milliseconds = (timeBounds?.maxTime ?? 0n) * 1000n
  return milliseconds === 0n || milliseconds > LAST_MOMENT ? null : unixMs(Number(milliseconds))
}

const paymentsOf = (source: Address, operations: ReadonlyArray<xdr.Operation>): ReadonlyArray<RequestedPayment> =>
  operations.flatMap(({ sourceAccount, body }, operationIndex) => {
    if (body.type !== 'payment') return []
    const { destination, asset, amount } = body.paymentOp
    const { account, muxedId } = addressOf(destination)
    const from = sourceAccount === null ? source : addressOf(sourceAccount)
    return [
      {
        operationIndex,
        from: from.account,
        destination: account,
        muxedId,
        assetId: assetIdOf(asset),
        amount: stroops(amount),
      },
    ]
  })

/**
 * Reads a transaction envelope from base64 XDR that anyone may have sent. Never throws.
 * Errors: `MalformedEnvelope`, also for bytes that do not encode back to the same text, since what is relayed must be
 * what was read.
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
      const { source, memo, operations, signatureCount } = transaction
      return {
        ...transactionHashes(networkId(networkPassphrase), envelope),
        source: source.account,
        memo: memoOf(memo),
        payments: paymentsOf(source, operations),
        operationCount: operations.length,
        maxTime: maxTimeOf(transaction),
        signatureCount,
      }
    },
    (thrown) => ({ _tag: 'MalformedEnvelope', cause: String(thrown) }),
  )
