import {
  asText,
  count,
  type Environment,
  LedgerFollowing,
  type LedgerFollowingRejection,
  LedgerSequence,
  type Resumption,
  secondMs,
  type Text,
  type UncountedTransaction,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import {
  type Cursor,
  haltedAt,
  type LedgerHead,
  type LedgerUnreachable,
  type LedgerUnreadable,
  type RangePruned,
} from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../decode.ts'
import { type CommandContext, type ExecuteFailure, execute } from '../execute.ts'
import type { StoreUnavailable } from '../load.ts'
import { type Network, type NetworkNotConfigured, networkOf, type Services } from '../services.ts'
import { type Compared, compareBalances } from './compare.ts'
import { presentHalt } from './present-halt.ts'
import { followingOf, platform } from './record.ts'

/** Nothing was followed yet: there is nothing to go on from. */
type FollowingNotBegun = { readonly _tag: 'FollowingNotBegun'; readonly environment: Environment }
/** Meanwhile a worker has gone on, or another person has moved the cursor: what was recorded may no longer fit. */
type CursorMoved = { readonly _tag: 'CursorMoved' }

export type CompareFailure = LedgerUnreachable | StoreUnavailable | NetworkNotConfigured | FollowingNotBegun
export type ResumeFailure =
  | CompareFailure
  | ExecuteFailure
  | LedgerFollowingRejection
  | RangePruned
  | LedgerUnreadable
  | CursorMoved

/** From which ledger on, and what is to be remembered of it. `isForced`: also where following is not halted. */
export type ResumeRequest = {
  readonly from: LedgerSequence
  readonly by: Text
  readonly reason: Text
  readonly isForced: boolean
}

/** How far the ledger was walked and has closed, how the books compare, and what was left to a person. */
export type Reconciled = Compared & {
  readonly walkedTo: LedgerSequence
  readonly latest: LedgerSequence
  readonly uncounted: ReadonlyArray<UncountedTransaction>
}

export interface Following {
  /** Compares the books with the balances of all watched accounts. */
  readonly compare: (environment: Environment) => TE.TaskEither<CompareFailure, Reconciled>
  /**
   * Has the ledger followed from `from` on: records it with a comparison, then moves the cursor, which a worker that is
   * under way notices. Given again after a crash in between, it ends in the same place.
   */
  readonly resume: (
    context: Omit<CommandContext, 'merchantId'>,
    request: ResumeRequest,
  ) => TE.TaskEither<ResumeFailure, Reconciled & { readonly resumption: Resumption }>
}

export const following = (services: Services): Following => {
  const { store, cursors } = services

  const standing = async (environment: Environment): Promise<E.Either<CompareFailure, Standing>> => {
    const network = networkOf(services, environment)
    if (E.isLeft(network)) return network
    const cursor = await cursors.of(environment).load()()
    if (E.isLeft(cursor)) return cursor
    if (cursor.right === null) return E.left({ _tag: 'FollowingNotBegun', environment })
    const latest = await network.right.gateway.latestLedger()()
    if (E.isLeft(latest)) return latest
    return E.right({ network: network.right, cursor: cursor.right, latest: latest.right })
  }

  const compared = async (
    environment: Environment,
    { network, latest }: Standing,
  ): Promise<E.Either<CompareFailure, Compared>> => compareBalances(services, network)(environment, latest.sequence)()

  const reconciled = async (
    environment: Environment,
    { latest }: Standing,
    books: Compared,
  ): Promise<E.Either<StoreUnavailable, Reconciled>> => {
    const [cursor, known] = [await cursors.of(environment).load()(), await followingOf(store, environment)()]
    if (E.isLeft(cursor)) return cursor
    if (E.isLeft(known)) return known
    const walkedTo = cursor.right?.sequence ?? latest.sequence
    return E.right({ ...books, walkedTo, latest: latest.sequence, uncounted: known.right.uncounted })
  }

  return {
    compare: (environment) => async () => {
      const stands = await standing(environment)
      if (E.isLeft(stands)) return stands
      const books = await compared(environment, stands.right)
      return E.isLeft(books) ? books : reconciled(environment, stands.right, books.right)
    },

    resume:
      (context, { isForced, ...wanted }) =>
      async () => {
        const { environment } = context
        const stands = await standing(environment)
        if (E.isLeft(stands)) return stands
        const { network, cursor, latest } = stands.right
        const halt = await presentHalt(services, network.gateway)(environment)()
        if (E.isLeft(halt)) return halt
        const halted = halt.right === null ? null : { reason: asText(halt.right._tag), ledger: haltedAt(halt.right) }
        const closedAt = await walkedUntil(network, wanted.from, latest)
        const at = { ...wanted, halted, walkedTo: cursor.sequence, latest: latest.sequence, isForced }
        const decide = (more: Pick<Resumption, 'closedAt' | 'comparison'>) =>
          LedgerFollowing.decider.decide({ type: 'ResumeFollowing', ...at, ...more })

        // What is refused is refused before 100,000 balances are read, and whatever the node says of that ledger.
        const known = await followingOf(store, environment)()
        if (E.isLeft(known)) return known
        const unseen = { asOf: latest.sequence, compared: count(0), differing: count(0), differences: [] }
        const early = decide({ closedAt: latest.closedAt, comparison: unseen })(known.right)
        if (E.isLeft(early)) return early
        if (E.isLeft(closedAt)) return closedAt

        const books = await compared(environment, stands.right)
        if (E.isLeft(books)) return books
        const { comparison } = books.right
        const recorded = await execute(store)(
          LedgerFollowing,
          environment,
          { ...context, merchantId: platform },
          decide({ closedAt: closedAt.right, comparison }),
        )()
        if (E.isLeft(recorded)) return recorded
        const resumption = recorded.right.state.resumptions.at(-1)
        if (resumption === undefined) throw new Error(`${environment} was resumed, and nothing recorded`)
        const moved = await moveCursor(services, environment, cursor, resumption)
        if (E.isLeft(moved)) return moved
        return E.map((found: Reconciled) => ({ ...found, resumption }))(
          await reconciled(environment, stands.right, books.right),
        )
      },
  }
}

type Standing = { readonly network: Network; readonly cursor: Cursor; readonly latest: LedgerHead }

/** Nothing closes between two ledgers, so the one before counts as walked until right before `from` closed. */
const walkedUntil = async (
  { gateway }: Network,
  from: LedgerSequence,
  latest: LedgerHead,
): Promise<E.Either<LedgerUnreachable | RangePruned | LedgerUnreadable, UnixMs>> => {
  if (from > latest.sequence) return E.right(latest.closedAt)
  const read = await gateway.readLedgers(from, 1, null)()
  if (E.isLeft(read)) return read
  const [ledger] = read.right.ledgers
  if (ledger?.sequence === from) return E.right(unixMs(ledger.closedAt - secondMs))
  return E.left({ _tag: 'LedgerUnreachable', cause: `${read.right.node} does not give ledger ${from}` })
}

/** Only from where it was found: a worker may have gone on by itself, where a node holds again what was missing. */
const moveCursor = async (
  { cursors }: Services,
  environment: Environment,
  found: Cursor,
  { from, closedAt }: Resumption,
): Promise<E.Either<CursorMoved, void>> => {
  const to = { sequence: decodeOrThrow(LedgerSequence, from - 1), closedAt, hash: null }
  const isMoved = await cursors.of(environment).advance(found, to)()
  return E.isRight(isMoved) && isMoved.right ? E.right(undefined) : E.left({ _tag: 'CursorMoved' })
}
