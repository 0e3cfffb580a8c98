import * as t from 'io-ts'
import { AccountId, AssetId } from '../shared/asset.ts'
import { orNull } from '../shared/branded.ts'
import { fact, facts } from '../shared/fact.ts'
import { CheckoutId, PaymentId } from '../shared/ids.ts'
import { LedgerSequence, TransactionHash } from '../shared/incoming-payment.ts'
import { strict } from '../shared/strict.ts'
import { Stroops } from '../shared/stroops.ts'
import { Text } from '../shared/text.ts'
import { Count, UnixMs } from '../shared/units.ts'

/** Why the ledger could not be followed any further: the halt's name, and the ledger that it is about. */
export const FoundHalt = strict({ reason: Text, ledger: LedgerSequence }, 'FoundHalt')
export type FoundHalt = t.TypeOf<typeof FoundHalt>

/** What the books know of an account's balance, and what the ledger holds; null: no such account or trustline. */
export const BalanceDifference = strict(
  { account: AccountId, assetId: AssetId, counted: Stroops, held: orNull(Stroops) },
  'BalanceDifference',
)
export type BalanceDifference = t.TypeOf<typeof BalanceDifference>

/**
 * The books beside the ledger, as of ledger `asOf` or later. `compared` counts balances and `differing` those that are
 * not what was counted; `differences` are the largest of them, as many as an event can hold.
 */
export const BalanceComparison = strict(
  { asOf: LedgerSequence, compared: Count, differing: Count, differences: t.readonlyArray(BalanceDifference) },
  'BalanceComparison',
)
export type BalanceComparison = t.TypeOf<typeof BalanceComparison>

/**
 * A person had following go on at ledger `from`. `walkedTo` is the last ledger of which everything was handled, so those
 * in between were skipped. `closedAt` is the time up to which the ledger counts as walked then: a second before
 * `from` closed, or the close of the newest ledger where `from` is still to come. `by` is who, as far as they said; `halted` is null where nothing kept the ledger from being
 * followed.
 */
export const Resumption = strict(
  {
    walkedTo: LedgerSequence,
    from: LedgerSequence,
    closedAt: UnixMs,
    by: Text,
    reason: Text,
    halted: orNull(FoundHalt),
    comparison: BalanceComparison,
  },
  'Resumption',
)
export type Resumption = t.TypeOf<typeof Resumption>

/**
 * A relayed transaction whose end lies among skipped ledgers, and which no node can tell of any more: it may have brought
 * money. `includedIn` is its ledger, where that much is known.
 */
export const UncountedTransaction = strict(
  {
    transactionHash: TransactionHash,
    checkoutId: CheckoutId,
    paymentId: PaymentId,
    includedIn: orNull(LedgerSequence),
  },
  'UncountedTransaction',
)
export type UncountedTransaction = t.TypeOf<typeof UncountedTransaction>

export const LedgerIngestionEvent = facts([
  fact('FollowingResumed', Resumption),
  fact('TransactionLeftUncounted', UncountedTransaction),
])
export type LedgerIngestionEvent = t.TypeOf<typeof LedgerIngestionEvent>
