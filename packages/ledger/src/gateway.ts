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
import type { OwnTransaction } from './own-transaction.ts'
import type { NetworkProtocol } from './protocol.ts'
import type { Simulation } from './simulation.ts'
import type { SubmitFailure, Submitted, TransactionLookUp } from './submission.ts'

/** No node responded in time and sensibly: try again later. `cause` is for the log. */
export type LedgerUnreachable = { readonly _tag: 'LedgerUnreachable'; readonly cause: string }

export const ledgerUnreachable = (cause: string): LedgerUnreachable => ({ _tag: 'LedgerUnreachable', cause })

/** The node no longer holds the ledger: read it elsewhere, or let a person resume past it. */
export type RangePruned = {
  readonly _tag: 'RangePruned'
  readonly from: LedgerSequence
  readonly oldest: LedgerSequence
}

/** Finds the first account or contract of ours that undecodable bytes hold; null if they hold none. */
export type Naming = (isOurs: (id: AccountId | ContractId) => boolean) => string | null

/**
 * What of a ledger cannot be decoded. `cause` is for the log. `names` looks through all of the ledger's bytes that were not
 * decoded. `transactions`: those that cannot be decoded, by their hashes, which the header covers; none if only what surrounds
 * them cannot.
 */
export type UndecodedPart = {
  readonly protocol: number
  readonly cause: string
  readonly transactions: ReadonlyArray<TransactionHash>
  readonly names: Naming
}

/**
 * A ledger of a protocol that this release does not know, which cannot be decoded. Its header can be, and covers all
 * transactions of the ledger. `names` looks through all bytes behind the header. `cause` is for the log.
 */
export type OpaqueLedger = LedgerHead & {
  readonly hash: string
  readonly previousHash: string
  readonly protocol: number
  readonly cause: string
  readonly names: Naming
}

/**
 * A ledger that cannot be decoded or contradicts itself: nothing after it may be read. `protocol` is that of its header where
 * this release does not know it.
 */
export type LedgerUnreadable = {
  readonly _tag: 'LedgerUnreadable'
  readonly sequence: LedgerSequence
  readonly cause: string
  readonly protocol?: number
}

/** A ledger that nodes hold, but that cannot be read. */
export type UnreadableLedger = LedgerUnreadable & { readonly opaque?: OpaqueLedger }

export type ReadFailure = LedgerUnreachable | RangePruned | UnreadableLedger

/** The newest closed ledger that the responding node knows. */
export type LedgerHead = { readonly sequence: LedgerSequence; readonly closedAt: UnixMs }

/** Which accounts are watched: a predicate, so that it costs the same however many they are. */
export type WatchedAccounts = { readonly has: (account: AccountId) => boolean }

/** As `WatchedAccounts`, where an account may have to be looked up. */
export type AccountLookUp = { readonly has: (account: AccountId) => boolean | Promise<boolean> }

/** The keys of ours for an account, which may have lost their weight or never had any; none if the account is not ours. */
export type KeysOf = (account: AccountId) => ReadonlyArray<AccountId>

/**
 * A closed ledger. Hashes are of ledger headers, 64 lower-case hex digits. Source: Stellar-ledger.x, `LedgerHeader`.
 */
export type ClosedLedger = LedgerHead & {
  /** Recomputed from the header. */
  readonly hash: string
  readonly previousHash: string
  /**
   * The most operations of transactions without contract calls that the next ledger takes; a fee bump counts as one
   * operation. Before protocol 11, the most transactions. Source: CAP-5.
   */
  readonly maxTxSetSize: number
  /**
   * The incoming payments of the watched accounts, in order of application. It reads `watched` after the ledger was
   * fetched, so that it never misses an account that became watched before the ledger closed.
   */
  readonly incomingPaymentsTo: (watched: WatchedAccounts) => ReadonlyArray<IncomingPayment>
  /**
   * All changes of the watched accounts' balances, incoming payments among them. `watched` must not change meanwhile.
   */
  readonly movementsOf: (watched: WatchedAccounts) => ReadonlyArray<Movement>
  /**
   * The outcomes of our transactions, by outer or inner hash, in order of application. Asks at most once about each
   * hash.
   */
  readonly outcomesOf: (isOurs: (hash: TransactionHash) => boolean) => ReadonlyArray<TransactionOutcome>
  /** The transactions that use accounts of ours by keys of ours, in order of application. */
  readonly ownTransactions: (keysOf: KeysOf) => ReadonlyArray<OwnTransaction>
  /** The facts of these mandate contracts, in order. */
  readonly mandatesOf: (contracts: ReadonlySet<ContractId>) => ReadonlyArray<MandateFact>
  /** The number with which a contract refused a failed transaction, by either hash: a hint that no header covers. */
  readonly contractErrorOf: (hash: TransactionHash) => number | null
  /** What of the ledger the members above do not tell, because it cannot be decoded; left out where all was. */
  readonly undecoded?: UndecodedPart
}

/**
 * Closed ledgers in order, from one node. Each is decoded when the iteration reaches it, so that memory holds one at a
 * time.
 */
export type NodeLedgers = { readonly node: string; readonly ledgers: Iterable<ClosedLedger> }

/**
 * Ledgers that were read at once. `through` is the last ledger that was fetched, null when there was none; `latest` is
 * the newest that the node holds. A ledger that cannot be read ends `ledgers` early. `twin` holds the same ledgers from
 * a second node, if any: facts in which the two differ must not be believed.
 */
export type LedgerBatch = NodeLedgers & {
  readonly through: LedgerSequence | null
  readonly latest: LedgerHead
  readonly twin: NodeLedgers | null
}

/**
 * An account's trustline for an issued asset. `spendable` leaves out what offers sell; `limit` bounds the balance;
 * `receivable` is the room up to the limit, less what offers may buy. Without authorisation nothing can arrive.
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
 * The signers of an account with their weights, its own key among them, and the weights that operations take: a payment the
 * medium one, a change of signers the high one, the use of a sequence number the low one. A signer is a key (`G…`), a
 * transaction (`T…`), a preimage's hash (`X…`) or a signed payload (`P…`).
 */
export type Authority = {
  readonly signers: ReadonlyArray<{ readonly key: string; readonly weight: number }>
  readonly lowThreshold: number
  readonly mediumThreshold: number
  readonly highThreshold: number
}

/** The weight that every operation of an account takes. The ledger asks for a signature even where all thresholds are 0. */
export const heaviestThreshold = ({ lowThreshold, mediumThreshold, highThreshold }: Authority): number =>
  Math.max(1, lowThreshold, mediumThreshold, highThreshold)

/** The weight that payments of an account take, and the use of its sequence numbers. */
export const payingThreshold = ({ lowThreshold, mediumThreshold }: Authority): number =>
  Math.max(1, lowThreshold, mediumThreshold)

/** The weight of a key on an account; 0 if the account does not list it. */
export const weightOf = ({ signers }: Authority, wanted: string): number =>
  signers.find(({ key }) => key === wanted)?.weight ?? 0

/**
 * An account as of the newest ledger. `accountSequence` is the last one used: the next transaction takes one more.
 * `nativeSpendable` is the balance without the `reserve` and without what offers sell (`nativePromised`). The reserve
 * counts the account's entries and those that it sponsors, without those that others sponsor for it. `nativeReceivable`
 * is the room for more of the native asset. `requiresMemo` is SEP-29's `config.memo_required`.
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
  /** The ledger that it was read from; a gateway always sets it. */
  readonly asOf?: LedgerSequence
  /** The newest ledger that has changed its entry or a trustline that was asked for; a node need not say. */
  readonly changedIn?: LedgerSequence
}

/** Something an account may hold: the native asset, or an issued one that it trusts. */
export type Holding = { readonly account: AccountId; readonly assetId: AssetId }

/**
 * A balance as of ledger `asOf`; null where there is no such account or trustline. Balances of many holdings are read
 * in several requests, between which ledgers close.
 */
export type Balance = Holding & { readonly held: Stroops | null; readonly asOf: LedgerSequence }

/**
 * A ledger entry: base64 XDR of its `LedgerEntryData`, and the last ledger in which a contract's entry lives, null for
 * entries that need no rent. The last ledger of an archived entry is before `asOf`. `changedIn`: the ledger that wrote it
 * last; a node need not say.
 */
export type LedgerEntry = { readonly xdr: string; readonly liveUntil: number | null; readonly changedIn?: number }

/** The entries that exist, by the base64 XDR of their `LedgerKey`, all as of one ledger. */
export type EntriesAt = { readonly entries: ReadonlyMap<string, LedgerEntry>; readonly asOf: LedgerSequence }

/** Access to a Stellar network. Every call ends within the gateway's own time-out. */
export interface LedgerGateway {
  readonly networkPassphrase: string
  /** The newest closed ledger. Its close time is the network's clock, from which time bounds are made. */
  readonly latestLedger: () => TaskEither<LedgerUnreachable, LedgerHead>
  /**
   * At most `limit` closed ledgers from `from` on; none when `from` has not closed yet. `after` is the hash of the
   * ledger before, null where it is not known: of several nodes, it prefers one that continues that ledger.
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
  /** The balance of each holding, in the given order. Reads 200 at a time. */
  readonly balances: (holdings: ReadonlyArray<Holding>) => TaskEither<LedgerUnreachable, ReadonlyArray<Balance>>
  /** Ledger entries by their keys (base64 XDR), at most 200. */
  readonly entries: (keys: ReadonlyArray<string>) => TaskEither<LedgerUnreachable, EntriesAt>
  /** Simulates a contract call after the newest ledger. The envelope need not be signed. */
  readonly simulate: (envelopeXdr: string) => TaskEither<LedgerUnreachable, Simulation>
  /** Hands these bytes to the network. Queued is no outcome: that comes from closed ledgers. */
  readonly submit: (envelopeXdr: string) => TaskEither<SubmitFailure, Submitted>
  /** Looks a transaction up in closed ledgers, by its outer or inner hash. */
  readonly lookUp: (transactionHash: TransactionHash) => TaskEither<LedgerUnreachable, TransactionLookUp>
  /** The protocols of the network: of the nodes that answer, the newest. */
  readonly protocol: () => TaskEither<LedgerUnreachable, NetworkProtocol>
  /** The fees of the last ledgers. */
  readonly feeStats: () => TaskEither<FeeStatsUnavailable, FeeStats>
}
