import type {
  AccountId,
  AssetId,
  ContractId,
  LedgerSequence,
  Stroops,
  TransactionHash,
  UnixMs,
} from '@quittance/domain'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { FeeStats, FeeStatsUnavailable } from './fee-stats.ts'
import type { IncomingPayment } from './incoming-payment.ts'
import type { MandateFact } from './mandate.ts'
import type { Movement } from './movement.ts'
import type { TransactionOutcome } from './outcome.ts'
import type { Simulation } from './simulation.ts'
import type { SubmitFailure, Submitted, TransactionLookUp } from './submission.ts'

/** No node answered in time, or none of its answers made sense: try again later. `cause` is for the log. */
export type LedgerUnreachable = { readonly _tag: 'LedgerUnreachable'; readonly cause: string }

/** The node no longer holds the ledger asked for: read it elsewhere, or let a person resume past it. */
export type RangePruned = {
  readonly _tag: 'RangePruned'
  readonly from: LedgerSequence
  readonly oldest: LedgerSequence
}

/** A ledger that we cannot decode or that contradicts itself: nothing after it may be read. */
export type LedgerUnreadable = {
  readonly _tag: 'LedgerUnreadable'
  readonly sequence: LedgerSequence
  readonly cause: string
}

export type ReadFailure = LedgerUnreachable | RangePruned | LedgerUnreadable

/** Where the network stands: its newest closed ledger, as far as the node that answered knows. */
export type LedgerHead = { readonly sequence: LedgerSequence; readonly closedAt: UnixMs }

/** Which accounts are watched: a predicate, so that it costs the same however many they are. */
export type WatchedAccounts = { readonly has: (account: AccountId) => boolean }

/**
 * A closed ledger. Hashes are of ledger headers, 64 lower-case hex digits; `hash` was recomputed from the header.
 * `creditsTo` gives the credits of the watched accounts in the order in which the ledger applied them. It is apart from
 * the reading so that it is asked after the ledger was fetched who is watched: an account that became watched before its
 * ledger closed is then never missed. `movementsOf` gives all changes of their balances in the same way, those credits
 * among them; who is watched must not change while the same `watched` is asked. `outcomesOf` gives how those transactions ended that are ours by their outer or their inner hash, in the
 * order of application; `isOurs` is asked at most once for each hash of the ledger. `mandatesOf` gives what happened in
 * mandate contracts, in order: at no cost where none is asked for. `contractErrorOf` gives the number with which a contract
 * refused a failed transaction, by either hash: what the node remembers, a hint that no header names. `maxTxSetSize` is how
 * many operations of transactions that call no contract the next ledger takes at the most, of which a fee bump is one (before
 * protocol 11: how many transactions). Source: Stellar-ledger.x, `LedgerHeader`; CAP-5.
 */
export type ClosedLedger = LedgerHead & {
  readonly hash: string
  readonly previousHash: string
  readonly maxTxSetSize: number
  readonly creditsTo: (watched: WatchedAccounts) => ReadonlyArray<IncomingPayment>
  readonly movementsOf: (watched: WatchedAccounts) => ReadonlyArray<Movement>
  readonly outcomesOf: (isOurs: (hash: TransactionHash) => boolean) => ReadonlyArray<TransactionOutcome>
  readonly mandatesOf: (contracts: ReadonlySet<ContractId>) => ReadonlyArray<MandateFact>
  readonly contractErrorOf: (hash: TransactionHash) => number | null
}

/** Closed ledgers in order, as one node tells them. Each is decoded when it is come to, so that one at a time is held. */
export type NodeLedgers = { readonly node: string; readonly ledgers: Iterable<ClosedLedger> }

/**
 * What was read at once. `through` is the last ledger that was fetched, null when there was none; `latest` the newest
 * that the node holds. A ledger that cannot be read ends `ledgers` early. `twin` tells the same ledgers as a second node
 * has them, where there is one: what the two do not tell alike must not be believed.
 */
export type LedgerBatch = NodeLedgers & {
  readonly through: LedgerSequence | null
  readonly latest: LedgerHead
  readonly twin: NodeLedgers | null
}

/**
 * What an account holds of an issued asset. `spendable` is what is not promised to offers; `limit` bounds the balance;
 * `receivable` is what can still arrive: up to the limit, less what offers may buy. Without authorisation nothing can
 * arrive.
 */
export type Trustline = {
  readonly assetId: AssetId
  readonly balance: Stroops
  readonly spendable: Stroops
  readonly limit: Stroops
  readonly receivable: Stroops
  readonly isAuthorized: boolean
}

/**
 * Whose signatures move money from an account: keys (`G…`) with their weights, its own among them, and how much weight a
 * payment takes. Signers that are no keys are left out.
 */
export type Authority = {
  readonly signers: ReadonlyArray<{ readonly key: string; readonly weight: number }>
  readonly mediumThreshold: number
}

/**
 * An account as of the newest ledger. `accountSequence` is the last one used: the next transaction takes one more.
 * `nativeSpendable` is what is neither the account's `reserve` nor promised to offers (`nativePromised`). The reserve counts
 * the account's entries and those that it sponsors, without those that others sponsor for it. `nativeReceivable` is what
 * can still arrive of the native asset. `trustlines` holds those of the assets asked for that exist. `requiresMemo` is SEP-29's `config.memo_required`.
 */
export type AccountView = {
  readonly account: AccountId
  readonly accountSequence: bigint
  readonly nativeBalance: Stroops
  readonly nativeSpendable: Stroops
  readonly nativeReceivable: Stroops
  readonly nativePromised: Stroops
  readonly reserve: Stroops
  readonly trustlines: ReadonlyArray<Trustline>
  readonly requiresMemo: boolean
  readonly authority: Authority
  /** The ledger that it was read from: a gateway always says so. */
  readonly asOf?: LedgerSequence
}

/** Something an account may hold: the native asset, or an issued one that it trusts. */
export type Holding = { readonly account: AccountId; readonly assetId: AssetId }

/**
 * What is held, as of ledger `asOf`; null where there is no such account or trustline. Balances of many holdings are
 * read in several questions, between which ledgers close.
 */
export type Balance = Holding & { readonly held: Stroops | null; readonly asOf: LedgerSequence }

/**
 * A ledger entry: base64 XDR of its `LedgerEntryData`, and the last ledger in which a contract's entry lives, null for
 * entries that need no rent. An archived one lives until an earlier ledger than `asOf`, as 0.
 */
export type LedgerEntry = { readonly xdr: string; readonly liveUntil: number | null }

/** Entries by the base64 XDR of their `LedgerKey`, those that exist, all as of one ledger. */
export type EntriesAt = { readonly entries: ReadonlyMap<string, LedgerEntry>; readonly asOf: LedgerSequence }

/** What we need of a Stellar network. Every call ends within a time-out of the gateway's own. */
export interface LedgerGateway {
  readonly networkPassphrase: string
  /** The newest closed ledger. Its close time is the network's clock, from which time bounds are made. */
  readonly latestLedger: () => TaskEither<LedgerUnreachable, LedgerHead>
  /**
   * At most `limit` closed ledgers from `from` on; none when `from` has not closed yet. `after` is the hash of the ledger
   * before, null where it is not known: of several nodes, one that continues it is preferred.
   */
  readonly readLedgers: (
    from: LedgerSequence,
    limit: number,
    after: string | null,
  ) => TaskEither<ReadFailure, LedgerBatch>
  /** The account and its trustlines in `assets`; null when there is no such account. */
  readonly accountView: (
    account: AccountId,
    assets: ReadonlyArray<AssetId>,
  ) => TaskEither<LedgerUnreachable, AccountView | null>
  /** What is held of each, in the order asked for. Meant for many: they are read 200 at a time. */
  readonly balances: (holdings: ReadonlyArray<Holding>) => TaskEither<LedgerUnreachable, ReadonlyArray<Balance>>
  /** Ledger entries by their keys (base64 XDR), 200 at most: that is one question. */
  readonly entries: (keys: ReadonlyArray<string>) => TaskEither<LedgerUnreachable, EntriesAt>
  /** What would come of a contract call after the newest ledger. The envelope need not be signed. */
  readonly simulate: (envelopeXdr: string) => TaskEither<LedgerUnreachable, Simulation>
  /** Hands these very bytes to the network. Queued is no outcome: that is read from closed ledgers. */
  readonly submit: (envelopeXdr: string) => TaskEither<SubmitFailure, Submitted>
  /** What the closed ledgers say of a transaction, by its outer or inner hash. */
  readonly lookUp: (transactionHash: TransactionHash) => TaskEither<LedgerUnreachable, TransactionLookUp>
  /** What fees are, as of the last ledgers. */
  readonly feeStats: () => TaskEither<FeeStatsUnavailable, FeeStats>
}
