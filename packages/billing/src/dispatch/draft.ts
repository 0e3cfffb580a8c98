import type { AccountSequence, IntentId, Stroops } from '@quittance/domain'
import type { Signer, UnsignedTransaction } from '@quittance/ledger'
import type { Found, IntentRow } from '@quittance/projections'

/** What lends its sequence number and pays the fee, and what each operation bids. `spendable` is all that it has for that. */
export type Source = {
  readonly signer: Signer
  readonly sequence: AccountSequence
  readonly spendable: Stroops
  readonly bid: Stroops
}

/** A transaction before anyone has signed it, the intents that it carries, in their order, and those that did not fit. */
export type Drawn = UnsignedTransaction & {
  readonly intents: ReadonlyArray<IntentId>
  readonly postponed: ReadonlyArray<Found<IntentRow>>
  readonly resourceFee?: Stroops
}
