import * as t from 'io-ts'
import { AccountId, AssetId } from '../shared/asset.ts'
import { orNull } from '../shared/branded.ts'
import { fact, facts } from '../shared/fact.ts'
import { CheckoutId, PaymentId } from '../shared/ids.ts'
import { LedgerSequence, TransactionHash } from '../shared/incoming-payment.ts'
import { partial, strict } from '../shared/strict.ts'
import { Stroops } from '../shared/stroops.ts'
import { Text } from '../shared/text.ts'
import { Count, PositiveCount, UnixMs } from '../shared/units.ts'

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

const passedLedger = { ledger: LedgerSequence, hash: Text, closedAt: UnixMs, protocol: Count, cause: Text }

/**
 * A ledger of a protocol that the release did not know and could not decode, and that provably held nothing of ours: what was
 * sent in it, and what that changed, named no account and no contract of ours. `cause`: why it could not be decoded.
 */
export const PassedOver = strict(passedLedger, 'PassedOver')
export type PassedOver = t.TypeOf<typeof PassedOver>

/**
 * Transactions of a ledger that could not be decoded, and that provably held nothing of ours. Everything else in the ledger was
 * ingested. `count` of them, of which `transactions` names the first; 0 if only what surrounds them could not be decoded.
 */
export const TransactionsPassedOver = strict(
  { ...passedLedger, count: Count, transactions: t.readonlyArray(TransactionHash) },
  'TransactionsPassedOver',
)
export type TransactionsPassedOver = t.TypeOf<typeof TransactionsPassedOver>

/** How the books compare after all ledgers that were passed over up to `through`. */
export const PassedOverCompared = strict(
  { through: LedgerSequence, comparison: BalanceComparison },
  'PassedOverCompared',
)
export type PassedOverCompared = t.TypeOf<typeof PassedOverCompared>

/** A ledger and when it closed. */
export const LedgerPoint = strict({ ledger: LedgerSequence, closedAt: UnixMs }, 'LedgerPoint')
export type LedgerPoint = t.TypeOf<typeof LedgerPoint>

/**
 * What shows that another history has taken the place of the network's: its newest ledger has a lower number than one that
 * was ingested, and closed later; or a ledger has another hash than the one that was ingested.
 */
export const ResetEvidence = t.keyof({ ledger_went_back: null, other_hash: null }, 'ResetEvidence')
export type ResetEvidence = t.TypeOf<typeof ResetEvidence>

/** `ingested` is the last ledger that was ingested, `found` the one that shows another history. */
export const FoundReset = strict(
  { evidence: ResetEvidence, ingested: LedgerPoint, found: LedgerPoint, at: UnixMs },
  'FoundReset',
)
export type FoundReset = t.TypeOf<typeof FoundReset>

/**
 * The operator has decided that the network was reset: the epoch `epoch` ends with the ledger `ended`. The first epoch is 1.
 * `isForced`: nothing has shown it.
 */
export const ResetDecision = t.intersection(
  [
    strict({ epoch: PositiveCount, ended: LedgerPoint, by: Text, reason: Text, at: UnixMs }),
    partial({ isForced: t.literal(true) }),
  ],
  'ResetDecision',
)
export type ResetDecision = t.TypeOf<typeof ResetDecision>

export const LedgerIngestionEvent = facts([
  fact('FollowingResumed', Resumption),
  fact('TransactionLeftUncounted', UncountedTransaction),
  fact('LedgerPassedOver', PassedOver),
  fact('TransactionsPassedOver', TransactionsPassedOver),
  fact('PassedOverCompared', PassedOverCompared),
  // From here on nothing is sent or ingested.
  fact('NetworkResetFound', FoundReset),
  // The history that was ingested goes on after all.
  fact('NetworkResetDisproved', strict({ at: UnixMs })),
  // What lived in the epoch is being ended.
  fact('NetworkResetBegun', ResetDecision),
  // Nothing of the former epoch lives. The next one is ingested from behind the ledger `begins`.
  fact('NetworkResetCompleted', strict({ epoch: PositiveCount, begins: LedgerPoint, at: UnixMs })),
])
export type LedgerIngestionEvent = t.TypeOf<typeof LedgerIngestionEvent>
