import type { AccountSequence, IntentId, Stroops } from '@quittance/domain'
import type { UnsignedTransaction } from '@quittance/ledger'
import type { Found, IntentRow } from '@quittance/projections'
import type { AccountSigner } from '../features/outgoing/signing-accounts.ts'

/**
 * The account whose sequence number a transaction uses. It bids `bid` an operation, and can spend `spendable` on fees.
 */
export type TransactionSource = {
  readonly signer: AccountSigner
  readonly sequence: AccountSequence
  readonly spendable: Stroops
  readonly bid: Stroops
}

/** A transaction that is neither signed nor recorded, with its intents in order and those that did not fit. */
export type DraftTransaction = UnsignedTransaction & {
  readonly intents: ReadonlyArray<IntentId>
  readonly postponed: ReadonlyArray<Found<IntentRow>>
  readonly resourceFee?: Stroops
}
