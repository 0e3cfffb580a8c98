import { type AccountId, type AssetId, decimalFromStroops, type Stroops } from '@quittance/domain'
import { Account, MuxedAccount, Operation } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { sdkAsset } from './assets.ts'
import type { BuildRejection } from './build-payment.ts'
import { type TransactionFrame, type UnsignedTransaction, unsignedTransaction } from './unsigned-transaction.ts'

/** How long our own transaction may wait for its ledger: twice the network's ban. */
export const PAYOUT_LIFETIME_MS = 120_000

/** The most operations that a transaction holds. */
export const PAYOUTS_AT_ONCE = 100

/** `destinationMuxedId` is the number inside an `M…` address, as unsigned decimal text. Source: SEP-23. */
export type Payout = {
  readonly destination: AccountId
  readonly destinationMuxedId?: string
  readonly assetId: AssetId
  readonly amount: Stroops
}

/**
 * Payments of one account in one transaction: payment n is operation n, and all happen or none. `sourceAccount` only
 * lends `nextAccountSequence`, the number that the transaction takes, and pays the fee; where it is not
 * `payingAccount`, both sign.
 */
export type PayoutsOrder = Omit<TransactionFrame, 'accountSequence'> & {
  readonly nextAccountSequence: bigint
  readonly payingAccount: AccountId
  readonly payouts: ReadonlyArray<Payout>
}

export type PayoutsRejection = BuildRejection | { readonly _tag: 'PayoutsOutOfRange'; readonly count: number }

/**
 * Builds a transaction of payments.
 * Errors: `PayoutsOutOfRange` for none and for more than 100; `AmountNotPositive`; `MemoTooLong` above 28 bytes of
 * UTF-8.
 */
export const buildPayouts = (order: PayoutsOrder): E.Either<PayoutsRejection, UnsignedTransaction> => {
  const { sourceAccount, nextAccountSequence, payingAccount, payouts } = order
  const { length: count } = payouts
  if (count < 1 || count > PAYOUTS_AT_ONCE) return E.left({ _tag: 'PayoutsOutOfRange', count })
  if (payouts.some(({ amount }) => amount <= 0n)) return E.left({ _tag: 'AmountNotPositive' })
  const from = payingAccount === sourceAccount ? {} : { source: payingAccount }
  return unsignedTransaction(
    { ...order, accountSequence: nextAccountSequence - 1n },
    payouts.map(({ assetId, amount, ...to }) =>
      Operation.payment({
        ...from,
        destination: addressOf(to),
        asset: sdkAsset(assetId),
        amount: decimalFromStroops(amount),
      }),
    ),
  )
}

const addressOf = ({ destination, destinationMuxedId }: Omit<Payout, 'assetId' | 'amount'>): string =>
  destinationMuxedId === undefined
    ? destination
    : new MuxedAccount(new Account(destination, '0'), destinationMuxedId).accountId()
