import type { ContractId, LedgerSequence } from '@quittance/domain'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type {
  ClosedLedger,
  LedgerGateway,
  LedgerHead,
  LedgerUnreachable,
  LedgerUnreadable,
  RangePruned,
  WatchedAccounts,
} from './gateway.ts'
import type { IncomingPayment } from './incoming-payment.ts'
import type { MandateFact } from './mandate.ts'
import type { Movement } from './movement.ts'

/** The last ledger of which everything was handled. `hash` is null where a person resumed past a gap. */
export type Cursor = LedgerHead & { readonly hash: string | null }

/** Where the cursor is kept: durably, since it is the only memory of how far the ledger was walked. */
export interface CursorStore<Failure> {
  readonly load: () => TaskEither<Failure, Cursor | null>
  /** Moves the cursor from where it was loaded; false when it is no longer there, as someone else has moved it. */
  readonly advance: (from: Cursor | null, to: Cursor) => TaskEither<Failure, boolean>
}

/**
 * A closed ledger with what it changed of the watched accounts' balances, what happened in the mandate contracts, and how
 * transactions of ours ended in it.
 */
export type FollowedLedger = LedgerHead &
  Pick<ClosedLedger, 'hash' | 'maxTxSetSize' | 'outcomesOf' | 'contractErrorOf'> & {
    readonly credits: ReadonlyArray<IncomingPayment>
    readonly movements: ReadonlyArray<Movement>
    readonly mandates: ReadonlyArray<MandateFact>
  }

/** The node left ledgers out: `expected` should have come, `found` came. */
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
 * Two nodes that both continue the history tell a ledger differently: another hash, or under one hash other credits, other
 * changes of balances or other mandates.
 * Which of them is right cannot be seen from here.
 */
export type NodesDisagree = {
  readonly _tag: 'NodesDisagree'
  readonly sequence: LedgerSequence
  readonly about: 'hash' | 'credits' | 'movements' | 'mandates'
  readonly nodes: readonly [string, string]
}

/** Why following cannot go on by itself. */
export type Halted = RangePruned | LedgerUnreadable | LedgerGap | ChainBroken | LedgerWentBack | NodesDisagree

/** How far the follower is: the last ledger handled (null before the first), and the newest that the node holds. */
export type Progress = { readonly handled: LedgerHead | null; readonly latest: LedgerHead }

export type FollowerOptions<Failure> = {
  readonly gateway: LedgerGateway
  readonly cursor: CursorStore<Failure>
  /** Asked for every ledger after it was fetched; an account must be in it before anyone is told to pay to it. */
  readonly watched: TaskEither<Failure, WatchedAccounts>
  /** Whose mandates are told of; none where it is left out. */
  readonly mandateContracts?: ReadonlySet<ContractId>
  /** Everything that follows from a ledger. It may be given the same ledger again, so it must write nothing twice. */
  readonly onLedger: (ledger: FollowedLedger) => TaskEither<Failure, void>
  /** Called once for each new reason to halt. */
  readonly alarm: (halted: Halted) => void
  /** How many ledgers are fetched at once. As many again are fetched while these are handled. */
  readonly batchSize: number
  /** Where to begin when there is no cursor: a ledger, or the newest one. */
  readonly firstLedger: LedgerSequence | 'latest'
}

export interface Follower<Failure> {
  /**
   * Walks all ledgers that are closed now, and answers how far it is. Steps never overlap; one that is asked for while
   * another runs begins after it, so it has seen whatever was closed when it was asked for.
   */
  readonly step: TaskEither<Halted | LedgerUnreachable | Failure, Progress>
}
