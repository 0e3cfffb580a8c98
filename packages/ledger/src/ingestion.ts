import type { ContractId, LedgerSequence, TransactionHash } from '@quittance/domain'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type {
  AccountLookUp,
  ClosedLedger,
  LedgerGateway,
  LedgerHead,
  LedgerUnreachable,
  LedgerUnreadable,
  OpaqueLedger,
  RangePruned,
} from './gateway.ts'
import type { IncomingPayment } from './incoming-payment.ts'
import type { MandateFact } from './mandate.ts'
import type { Movement } from './movement.ts'

/** The last ledger that was handled completely. `hash` is null where a person resumed past a gap. */
export type Cursor = LedgerHead & { readonly hash: string | null }

/** Keeps the cursor durably: nothing else remembers how far the ledgers are ingested. */
export interface CursorStore<Failure> {
  readonly load: () => TaskEither<Failure, Cursor | null>
  /** Moves the cursor from where it was loaded; false when someone else has moved it. */
  readonly advance: (from: Cursor | null, to: Cursor) => TaskEither<Failure, boolean>
}

/**
 * A closed ledger with what it changed of the watched accounts' balances, what happened in the mandate contracts, and
 * how transactions of ours ended in it.
 */
export type IngestedLedger = LedgerHead &
  Pick<ClosedLedger, 'hash' | 'maxTxSetSize' | 'outcomesOf' | 'ownTransactions' | 'contractErrorOf'> & {
    readonly incomingPayments: ReadonlyArray<IncomingPayment>
    readonly movements: ReadonlyArray<Movement>
    readonly mandates: ReadonlyArray<MandateFact>
  }

/** The node left ledgers out, from `expected` up to `found`. */
export type LedgerGap = {
  readonly _tag: 'LedgerGap'
  readonly expected: LedgerSequence
  readonly found: LedgerSequence
}

/** A ledger that does not continue the one handled before it: another history of the network. */
export type ChainBroken = {
  readonly _tag: 'ChainBroken'
  readonly sequence: LedgerSequence
  readonly expectedPrevious: string
  readonly foundPrevious: string
}

/**
 * The node's newest ledger is before the last one handled, and further back than a node that is merely late: a network
 * that was reset, or a node that serves another history.
 */
export type LedgerWentBack = {
  readonly _tag: 'LedgerWentBack'
  readonly cursor: LedgerHead
  readonly latest: LedgerHead
}

/**
 * Two nodes that both continue the history disagree about a ledger: about its hash, or under one hash about incoming
 * payments, changes of balances or mandates. Nothing here shows which of them is right.
 */
export type NodesDisagree = {
  readonly _tag: 'NodesDisagree'
  readonly sequence: LedgerSequence
  readonly about: 'hash' | 'credits' | 'movements' | 'mandates'
  readonly nodes: readonly [string, string]
}

/** A ledger that was passed over, or of which only these transactions were, because they cannot be decoded. */
export type PassedOverLedger = LedgerHead &
  Pick<OpaqueLedger, 'hash' | 'protocol' | 'cause'> & { readonly transactions?: ReadonlyArray<TransactionHash> }

/** Why ingestion cannot continue by itself. */
export type Halted = RangePruned | LedgerUnreadable | LedgerGap | ChainBroken | LedgerWentBack | NodesDisagree

/** How far ingestion is: the last ledger handled (null before the first), and the newest that the node holds. */
export type Progress = { readonly handled: LedgerHead | null; readonly latest: LedgerHead }

export type IngestionOptions<Failure> = {
  readonly gateway: LedgerGateway
  readonly cursor: CursorStore<Failure>
  /** Read for every ledger after it was fetched; an account must be in it before anyone is asked to pay to it. */
  readonly watched: TaskEither<Failure, AccountLookUp>
  /** The contracts whose mandates are reported, read as `watched` is; none where it is left out. */
  readonly mandateContracts?: () => Promise<ReadonlySet<ContractId>>
  /** Handles a ledger. It may be given the same ledger again, so it must write nothing twice. */
  readonly onLedger: (ledger: IngestedLedger) => TaskEither<Failure, void>
  /**
   * Records a ledger that is passed over, or transactions of one, since they cannot be decoded and hold nothing of ours; before
   * the cursor passes it. It may be given the same ledger again. False halts. Where it is left out, such a ledger halts.
   */
  readonly onPassedOver?: (ledger: PassedOverLedger) => TaskEither<Failure, boolean>
  /** Further accounts of ours that nothing undecodable may name, read as `watched` is. */
  readonly ownAccounts?: () => Promise<AccountLookUp>
  /** Called once for each new reason to halt. */
  readonly alarm: (halted: Halted) => void
  /** How many ledgers are fetched at once. As many again are fetched while these are handled. */
  readonly batchSize: number
  /** Where to begin when there is no cursor: a ledger, or the newest one. */
  readonly firstLedger: LedgerSequence | 'latest'
}

export interface Ingestion<Failure> {
  /**
   * Ingests all ledgers that are closed now, and returns how far it is. Steps never overlap: one that is requested
   * while another runs begins after it, so it sees every ledger that was closed when it was requested.
   */
  readonly step: TaskEither<Halted | LedgerUnreachable | Failure, Progress>
}
