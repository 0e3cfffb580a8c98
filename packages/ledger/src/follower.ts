import type { LedgerSequence } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { after, disagreement, discontinuity, wentBack, withTwins } from './follower-history.ts'
import type { Cursor, FollowedLedger, Follower, FollowerOptions, Halted, Progress } from './following.ts'
import type { ClosedLedger, LedgerBatch, LedgerUnreachable, ReadFailure } from './gateway.ts'
import { oncePerReason } from './once-per-reason.ts'
import { oneAtATime } from './one-at-a-time.ts'

const cursorAt = ({ sequence, closedAt, hash }: FollowedLedger | ClosedLedger) => ({ sequence, closedAt, hash })

/** Why the ledgers of a batch were not all handled. */
type Stop<Failure> =
  | { readonly _tag: 'DoesNotFollow'; readonly halted: Halted }
  | { readonly _tag: 'Failed'; readonly failure: Failure }

/** Where a batch has left the cursor, which is saved; `isMoved`: by someone else, so what was handled counts for nothing. */
type Handled<Failure> = {
  readonly cursor: Cursor | null
  readonly stop: Stop<Failure> | null
  readonly isMoved: boolean
}

/**
 * Follows the closed ledgers strictly in order, from a durable cursor that moves only once everything of a ledger was
 * handled. What it cannot read, or what does not continue the ledger before, it never passes: each step tries again from
 * the cursor, so a node that has the missing ledgers, or a person who moves the cursor, lets it go on. The next batch is
 * fetched while one is handled, never more.
 */
export const createFollower = <Failure>(options: FollowerOptions<Failure>): Follower<Failure> => {
  const { gateway, batchSize, firstLedger, mandateContracts = new Set() } = options
  const { raise, goOn } = oncePerReason(options.alarm)
  const halt = (halted: Halted): E.Either<Halted, never> => {
    raise(halted)
    return E.left(halted)
  }

  const start = (cursor: Cursor | null): TE.TaskEither<LedgerUnreachable, LedgerSequence> => {
    if (cursor !== null) return TE.right(after(cursor.sequence))
    if (firstLedger !== 'latest') return TE.right(firstLedger)
    return TE.map(({ sequence }: { sequence: LedgerSequence }) => sequence)(gateway.latestLedger())
  }

  const readFailed = (failure: ReadFailure): E.Either<Halted | LedgerUnreachable, never> =>
    failure._tag === 'LedgerUnreachable' ? E.left(failure) : halt(failure)

  /** Handles ledgers up to one that fails or does not follow. */
  const handle = async (begin: Cursor | null, from: LedgerSequence, batch: LedgerBatch): Promise<Handled<Failure>> => {
    let cursor = begin
    let stop: Stop<Failure> | null = null
    for (const told of withTwins(batch)) {
      const { ledger } = told
      const watched = await options.watched()
      if (E.isLeft(watched)) {
        stop = { _tag: 'Failed', failure: watched.left }
        break
      }
      const credits = ledger.creditsTo(watched.right)
      const expected = cursor === null ? from : after(cursor.sequence)
      const halted =
        discontinuity(cursor, expected, ledger) ?? disagreement(batch, told, credits, watched.right, mandateContracts)
      if (halted !== null) {
        stop = { _tag: 'DoesNotFollow', halted }
        break
      }
      const movements = ledger.movementsOf(watched.right)
      const mandates = ledger.mandatesOf(mandateContracts)
      const { maxTxSetSize, outcomesOf, contractErrorOf } = ledger
      const followed = {
        ...cursorAt(ledger),
        maxTxSetSize,
        credits,
        movements,
        mandates,
        outcomesOf,
        contractErrorOf,
      }
      const done = await options.onLedger(followed)()
      if (E.isLeft(done)) {
        stop = { _tag: 'Failed', failure: done.left }
        break
      }
      goOn()
      cursor = cursorAt(ledger)
    }
    if (cursor === null || cursor === begin) return { cursor, stop, isMoved: false }
    const advanced = await options.cursor.advance(begin, cursor)()
    if (E.isLeft(advanced)) return { cursor, stop: stop ?? { _tag: 'Failed', failure: advanced.left }, isMoved: false }
    return { cursor, stop, isMoved: !advanced.right }
  }

  const walk: TE.TaskEither<Halted | LedgerUnreachable | Failure, Progress> = async () => {
    const loaded = await options.cursor.load()()
    if (E.isLeft(loaded)) return loaded
    const first = await start(loaded.right)()
    if (E.isLeft(first)) return first
    let cursor = loaded.right
    let from = first.right
    let goal: LedgerSequence | null = null
    let ahead: Promise<E.Either<ReadFailure, LedgerBatch>> | null = null
    for (;;) {
      const isFresh = ahead === null
      const batch: E.Either<ReadFailure, LedgerBatch> = await (ahead ??
        gateway.readLedgers(from, batchSize, cursor?.hash ?? null)())
      ahead = null
      if (E.isLeft(batch)) {
        if (isFresh) return readFailed(batch.left)
        continue
      }
      const { through, latest }: LedgerBatch = batch.right
      goal ??= latest.sequence
      const behind = cursor === null || through !== null ? null : wentBack(cursor, latest)
      if (behind !== null) return halt(behind)
      if (through !== null && through < goal) ahead = gateway.readLedgers(after(through), batchSize, null)()

      const handled = await handle(cursor, from, batch.right)
      const { stop } = handled
      if (stop?._tag === 'Failed') return E.left(stop.failure)
      // What does not follow is read once more, knowing what should: another node may continue our history.
      if (stop !== null && isFresh && handled.cursor === cursor) return halt(stop.halted)
      const isStuck = isFresh && handled.cursor === cursor
      cursor = handled.cursor
      if (isStuck || through === null || cursor === null || cursor.sequence >= goal || handled.isMoved)
        return E.right({ handled: cursor, latest })
      from = after(cursor.sequence)
      if (cursor.sequence !== through) ahead = null
    }
  }

  return { step: oneAtATime(walk) }
}
