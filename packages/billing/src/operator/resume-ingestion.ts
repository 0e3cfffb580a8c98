import {
  asText,
  count,
  type Environment,
  LedgerIngestion,
  type LedgerIngestionRejection,
  LedgerSequence,
  type Resumption,
  secondMs,
  type Text,
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
import { compareBalances } from '../books/reconciliation/compare.ts'
import {
  type CompareFailure,
  type Reconciled,
  reconciled,
  standingOf,
} from '../books/reconciliation/ingestion-standing.ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import { type ExecuteFailure, execute, type OperatorContext } from '../kernel/execute.ts'
import { stateOf } from '../kernel/load.ts'
import { platform } from '../kernel/platform.ts'
import type { Network, Services } from '../services/services.ts'
import { currentHalt } from './current-halt.ts'
import type { OperatorServices } from './services.ts'

/** A worker or another operator has moved the cursor meanwhile, so the recorded resumption may no longer fit. */
type CursorMoved = { readonly _tag: 'CursorMoved' }

/** Why ingestion cannot be resumed. */
export type ResumeFailure =
  | CompareFailure
  | ExecuteFailure
  | LedgerIngestionRejection
  | RangePruned
  | LedgerUnreadable
  | CursorMoved

/** The ledger to resume from, with the operator's name and reason. `isForced`: even if ingestion has not halted. */
export type ResumeRequest = {
  readonly from: LedgerSequence
  readonly by: Text
  readonly reason: Text
  readonly isForced: boolean
}

/** How ingestion was resumed, with the reconciliation that allowed it. */
export type Resumed = Reconciled & { readonly resumption: Resumption }

/**
 * Resumes ingestion at `from`: records the resumption with a comparison, then moves the cursor, which a running worker
 * notices. Repeated after a crash in between, it ends in the same place.
 */
export const resume =
  (services: OperatorServices) =>
  (context: OperatorContext, { isForced, ...wanted }: ResumeRequest): TE.TaskEither<ResumeFailure, Resumed> =>
  async () => {
    const { store } = services
    const { environment } = context
    const stands = await standingOf(services, environment)
    if (E.isLeft(stands)) return stands
    const { network, cursor, latest } = stands.right
    const halt = await currentHalt(services, network.gateway, environment)
    if (E.isLeft(halt)) return halt
    const halted = halt.right === null ? null : { reason: asText(halt.right._tag), ledger: haltedAt(halt.right) }
    const at = { ...wanted, halted, walkedTo: cursor.sequence, latest: latest.sequence, isForced }
    const decide = (more: Pick<Resumption, 'closedAt' | 'comparison'>) =>
      LedgerIngestion.decider.decide({ type: 'ResumeFollowing', ...at, ...more })

    // Rejects the request before it reads 100,000 balances, whatever the node says of that ledger.
    const known = await stateOf(store)(LedgerIngestion, environment)
    if (E.isLeft(known)) return known
    const unseen = { asOf: latest.sequence, compared: count(0), differing: count(0), differences: [] }
    const early = decide({ closedAt: latest.closedAt, comparison: unseen })(known.right.state)
    if (E.isLeft(early)) return early
    const closedAt = await ingestedUntil(network, wanted.from, latest)
    if (E.isLeft(closedAt)) return closedAt

    const books = await compareBalances(services, network, environment, latest.sequence)
    if (E.isLeft(books)) return books
    const { comparison } = books.right
    const recorded = await execute(store)(
      LedgerIngestion,
      environment,
      { ...context, merchantId: platform },
      decide({ closedAt: closedAt.right, comparison }),
    )
    if (E.isLeft(recorded)) return recorded
    const resumption = recorded.right.state.resumptions.at(-1)
    if (resumption === undefined) throw new Error(`${environment} was resumed without a record`)
    const moved = await moveCursor(services, environment, cursor, resumption)
    if (E.isLeft(moved)) return moved
    const found = await reconciled(services, environment, latest.sequence, books.right)
    return E.map((now: Reconciled): Resumed => ({ ...now, resumption }))(found)
  }

/** Nothing closes between two ledgers, so all is ingested until right before `from` closed. */
const ingestedUntil = async (
  { gateway }: Network,
  from: LedgerSequence,
  latest: LedgerHead,
): Promise<E.Either<LedgerUnreachable | RangePruned | LedgerUnreadable, UnixMs>> => {
  if (from > latest.sequence) return E.right(latest.closedAt)
  const read = await gateway.readLedgers(from, 1, null)()
  if (E.isLeft(read)) {
    // Ledgers of a newer protocol are numbered and dated as before.
    const opaque = read.left._tag === 'LedgerUnreadable' ? read.left.opaque : undefined
    return opaque === undefined ? read : E.right(unixMs(opaque.closedAt - secondMs))
  }
  const [ledger] = read.right.ledgers
  if (ledger?.sequence === from) return E.right(unixMs(ledger.closedAt - secondMs))
  return E.left({ _tag: 'LedgerUnreachable', cause: `${read.right.node} does not give ledger ${from}` })
}

/**
 * Moves the cursor only from where it was read: a worker may have resumed by itself when a node held the ledgers again.
 */
const moveCursor = async (
  { cursors }: Pick<Services, 'cursors'>,
  environment: Environment,
  found: Cursor,
  { from, closedAt }: Resumption,
): Promise<E.Either<CursorMoved, void>> => {
  const to = { sequence: decodeOrThrow(LedgerSequence, from - 1), closedAt, hash: null }
  const isMoved = await cursors.of(environment).advance(found, to)()
  return E.isRight(isMoved) && isMoved.right ? E.right(undefined) : E.left({ _tag: 'CursorMoved' })
}
