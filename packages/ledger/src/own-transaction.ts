import type { AccountId, AccountSequence, AssetId, OperationIndex, Stroops, UnixMs } from '@quittance/domain'
import type { Memo } from './incoming-payment.ts'
import type { TransactionOutcome } from './outcome.ts'

/** A payment of an account of ours, as its transaction asked for it. `muxedId` is the number of a muxed destination. */
export type OwnPayment = {
  readonly operationIndex: OperationIndex
  readonly from: AccountId
  readonly destination: AccountId
  readonly muxedId: string | null
  readonly assetId: AssetId
  readonly amount: Stroops
}

/** Another key `to` of an account of ours, which takes the weight of a key of ours. */
export type OwnRotation = {
  readonly operationIndex: OperationIndex
  readonly account: AccountId
  readonly to: AccountId
}

/**
 * A transaction of a closed ledger that uses an account of ours and is signed by a key of ours for that account. Of a fee bump,
 * it is the transaction inside; `envelopeXdr` (base64) is its envelope. `signers` are the accounts of ours that signed it, `fee`
 * is what each operation bids. `payments` and `rotations` are those of accounts of ours, also in a failed transaction; earlier releases have parked it
 * without `rotations`.
 * `isCall`: it calls a contract; `isSetUp`: all that it does is to set accounts up. The ledger's header covers all of it.
 */
export type OwnTransaction = {
  readonly outcome: TransactionOutcome
  readonly envelopeXdr: string
  readonly sourceAccount: AccountId
  readonly accountSequence: AccountSequence
  readonly maxTime: UnixMs | null
  readonly fee: Stroops
  readonly memo: Memo
  readonly signers: ReadonlyArray<AccountId>
  readonly payments: ReadonlyArray<OwnPayment>
  readonly rotations?: ReadonlyArray<OwnRotation>
  readonly isCall: boolean
  readonly isSetUp: boolean
}
