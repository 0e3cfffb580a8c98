import { LedgerSequence } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Cursor, Follower, FollowerOptions, Halted, Progress } from './following.ts'
import type { ClosedLedger, LedgerHead, LedgerUnreachable, ReadFailure } from './gateway.ts'
import { named } from './named.ts'
import { oneAtATime } from './one-at-a-time.ts'

const after = (sequence: LedgerSequence): LedgerSequence => named(LedgerSequence, sequence + 1)

const discontinuity = (cursor: Cursor | null, from: LedgerSequence, ledger: ClosedLedger): Halted | null => {
  if (ledger.sequence !== from) return { _tag: 'LedgerGap', expected: from, found: ledger.sequence }
  if (cursor === null || cursor.hash === null || cursor.hash === ledger.previousHash) return null
  return {
    _tag: 'ChainBroken',
    sequence: ledger.sequence,
    expectedPrevious: cursor.hash,
    foundPrevious: ledger.previousHash,
  }
}

/** How many ledgers a node may be late: with several behind one address, the next answer may come from another. */
const ledgersLate = 20

/** A node that is late knows only ledgers that closed before the cursor's; one that closed later is of another history. */
const wentBack = ({ sequence, closedAt }: Cursor, latest: LedgerHead): Halted | null => {
  const behind = sequence - latest.sequence
  if (behind <= 0 || (behind <= ledgersLate && latest.closedAt < closedAt)) return null
  return { _tag: 'LedgerWentBack', cursor: { sequence, closedAt }, latest }
}

const cursorAt = ({ sequence, closedAt, hash }: ClosedLedger): Cursor => ({ sequence, closedAt, hash })

/** The reason without what changes while the node goes on closing and pruning ledgers. */
const reasonOf = (halted: Halted): string => {
  switch (halted._tag) {
    case 'RangePruned':
      return `${halted._tag} ${halted.from}`
    case 'LedgerWentBack':
      return `${halted._tag} ${halted.cursor.sequence}`
    case 'LedgerUnreadable':
    case 'LedgerGap':
    case 'ChainBroken':
      return JSON.stringify(halted)
  }
}

/** Calls the alarm for each new reason to halt; going on makes any reason new again. */
const oncePerReason = (alarm: (halted: Halted) => void) => {
  let raised: string | null = null
  return {
    halt: (halted: Halted): E.Either<Halted, never> => {
      const reason = reasonOf(halted)
      if (reason !== raised) alarm(halted)
      raised = reason
      return E.left(halted)
    },
    goOn: (): void => {
      raised = null
    },
  }
}

/**
 * Follows the closed ledgers strictly in order, from a durable cursor that moves only once everything of a ledger was
 * handled. What it cannot read, or what does not continue the ledger before, it never passes: each step tries again from
 * the cursor, so a node that has the missing ledgers, or a person who moves the cursor, lets it go on.
 */
export const createFollower = <Failure>(options: FollowerOptions<Failure>): Follower<Failure> => {
  const { gateway, batchSize } = options
  const { halt, goOn } = oncePerReason(options.alarm)

  const start = (cursor: Cursor | null): TE.TaskEither<LedgerUnreachable, LedgerSequence> => {
    if (cursor !== null) return TE.right(after(cursor.sequence))
    if (options.firstLedger !== 'latest') return TE.right(options.firstLedger)
    return TE.map(({ sequence }: { sequence: LedgerSequence }) => sequence)(gateway.latestLedger())
  }

  const readFailed = (failure: ReadFailure): E.Either<Halted | LedgerUnreachable, never> =>
    failure._tag === 'LedgerUnreachable' ? E.left(failure) : halt(failure)

  const handOver = async (ledger: ClosedLedger): Promise<E.Either<Failure, void>> => {
    const watched = await options.watched()
    if (E.isLeft(watched)) return watched
    const credits = ledger.creditsTo(watched.right)
    return options.onLedger({ ...cursorAt(ledger), hash: ledger.hash, credits })()
  }

  /** Handles ledgers until one fails; the cursor is where that left it, and already saved. */
  const handle = async (
    begin: Cursor | null,
    from: LedgerSequence,
    ledgers: ReadonlyArray<ClosedLedger>,
  ): Promise<E.Either<Halted | Failure, Cursor | null>> => {
    let cursor = begin
    let outcome: E.Either<Halted | Failure, void> = E.right(undefined)
    for (const ledger of ledgers) {
      const broken = discontinuity(cursor, cursor === null ? from : after(cursor.sequence), ledger)
      outcome = broken === null ? await handOver(ledger) : halt(broken)
      if (E.isLeft(outcome)) break
      goOn()
      cursor = cursorAt(ledger)
    }
    if (cursor === null || cursor === begin) return E.isLeft(outcome) ? outcome : E.right(cursor)
    const saved = await options.cursor.save(cursor)()
    if (E.isLeft(outcome)) return outcome
    return E.isLeft(saved) ? saved : E.right(cursor)
  }

  const walk: TE.TaskEither<Halted | LedgerUnreachable | Failure, Progress> = async () => {
    const loaded = await options.cursor.load()()
    if (E.isLeft(loaded)) return loaded
    const first = await start(loaded.right)()
    if (E.isLeft(first)) return first
    let cursor = loaded.right
    let from = first.right
    let goal: LedgerSequence | null = null
    for (;;) {
      const batch = await gateway.readLedgers(from, batchSize)()
      if (E.isLeft(batch)) return readFailed(batch.left)
      const { ledgers, latest } = batch.right
      goal ??= latest.sequence
      const behind = cursor === null || ledgers.length > 0 ? null : wentBack(cursor, latest)
      if (behind !== null) return halt(behind)
      const handled = await handle(cursor, from, ledgers)
      if (E.isLeft(handled)) return handled
      cursor = handled.right
      if (ledgers.length === 0 || cursor === null || cursor.sequence >= goal)
        return E.right({ handled: cursor, latest })
      from = after(cursor.sequence)
    }
  }

  return { step: oneAtATime(walk) }
}
