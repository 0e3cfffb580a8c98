import * as E from 'fp-ts/lib/Either.js'
import type { Appended, AppendFailure } from '../port.ts'
import type { SealedAppend } from '../seal-append.ts'
import type { SqlDatabase } from '../sql.ts'
import { appendWriter, type Projects, projectWaiting } from './append.ts'
import { archivedPart } from './archive/archived.ts'
import type { OwnCommits } from './changes.ts'
import { isLocked, isStoreFailure, leavesOutcomeOpen } from './failures.ts'
import { knownHeads } from './heads.ts'
import type { Projecting } from './projecting.ts'
import { untilNextTryMs } from './when-unlocked.ts'

type Outcome = E.Either<AppendFailure, Appended>

type Waiting = {
  readonly append: SealedAppend
  readonly since: number
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (defect: unknown) => void
}

/** What became of each append of a group, and the log's end before it. */
type WrittenGroup = { readonly outcomes: ReadonlyArray<Outcome>; readonly before: number }

export type GroupCommit = {
  /** Seals an append and resolves once it is durable or refused. Rejects only for a defect, such as one of sealing. */
  readonly enqueue: (seal: () => SealedAppend) => Promise<Outcome>
  /** Commits all pending appends now. */
  readonly flush: () => void
}

// Bounds how long one commit blocks the process (some milliseconds).
const largestGroup = 512

/** How long an append waits for another process's lock. The process goes on meanwhile. */
const lockPatienceMs = 5_000

/**
 * Appends that arrive during a commit share the next one. Each is judged alone; a failing commit discards its whole
 * group. While another process holds the lock, the group waits and grows.
 */
export const groupCommit = (
  sql: SqlDatabase,
  projecting: Projecting,
  clock: () => number,
  onCommit: () => void,
  own: OwnCommits,
): GroupCommit => {
  const archived = archivedPart(sql)
  const known = knownHeads(sql, archived)
  const write = appendWriter(sql, archived, known, projecting)
  let waiting: Waiting[] = []
  let isScheduled = false

  const writeGroup = (group: ReadonlyArray<Waiting>, projects: Projects): WrittenGroup => {
    if (known.refresh() && projecting.catchUp()) own.unknown()
    const before = known.tail().position
    const recordedAt = clock()
    const outcomes = group.map(({ append }) => write(append, recordedAt, projects))
    projectWaiting(projecting, projects)
    const after = known.tail().position
    if (after > before) projecting.mark(after)
    return { outcomes, before }
  }

  /**
   * A row that several events of the group change is written once. Where a projection refuses, the group is written again with
   * each append apart, so that only what is refused is left out.
   * Throws a lock of another process, which may end, and defects.
   */
  const commitGroup = (
    group: ReadonlyArray<Waiting>,
    projects: Projects = { _tag: 'Together', waiting: [] },
  ): WrittenGroup => {
    let isWritten = false
    try {
      return sql.transaction(() => {
        const written = writeGroup(group, projects)
        isWritten = true
        return written
      })
    } catch (cause) {
      known.forget()
      own.unknown()
      if (isLocked(cause)) throw cause
      if (!isStoreFailure(cause)) {
        if (projects._tag === 'Apart') throw cause
        return commitGroup(group, { _tag: 'Apart' })
      }
      const isOpen = isWritten && leavesOutcomeOpen(cause)
      const failure = E.left({ _tag: isOpen ? ('OutcomeUnknown' as const) : ('StoreUnavailable' as const), cause })
      return { outcomes: group.map(() => failure), before: 0 }
    }
  }

  /** What repeats an earlier append has written nothing, and its position is not beyond the end so far. */
  const tell = (group: ReadonlyArray<Waiting>, { outcomes, before }: WrittenGroup): void => {
    let end = BigInt(before)
    for (const [index, outcome] of outcomes.entries()) {
      const append = group[index]?.append
      if (append === undefined || E.isLeft(outcome) || outcome.right.position <= end) continue
      end = outcome.right.position
      own.appended(append.stream, append.head, outcome.right)
    }
  }

  /** Commits the next group; answers whether a lock keeps appends waiting that came after `impatientUntil`. */
  const flushOne = (impatientUntil: number): boolean => {
    const group = waiting.slice(0, largestGroup)
    waiting = waiting.slice(largestGroup)
    try {
      const written = commitGroup(group)
      tell(group, written)
      onCommit()
      group.forEach(({ resolve }, index) => {
        const outcome = written.outcomes[index]
        if (outcome !== undefined) resolve(outcome)
      })
      return false
    } catch (cause) {
      if (!isLocked(cause)) {
        for (const { reject } of group) reject(cause)
        return false
      }
      const patient = group.filter(({ since }) => since > impatientUntil)
      waiting = [...patient, ...waiting]
      for (const { since, resolve } of group)
        if (since <= impatientUntil) resolve(E.left({ _tag: 'StoreUnavailable', cause }))
      return patient.length > 0
    }
  }

  const schedule = (isLockedOut: boolean): void => {
    if (isScheduled || waiting.length === 0) return
    isScheduled = true
    const run = (): void => {
      isScheduled = false
      const isLockedOut = waiting.length > 0 && flushOne(performance.now() - lockPatienceMs)
      schedule(isLockedOut)
    }
    // Runs after all callbacks of this turn and of the next one, so that callers answered by the last commit can join the next,
    // and so can the requests that have arrived meanwhile: each commit waits for the disk.
    if (isLockedOut) setTimeout(run, untilNextTryMs())
    else setImmediate(() => setImmediate(run))
  }

  return {
    enqueue: (seal) =>
      new Promise((resolve, reject) => {
        waiting.push({ append: seal(), since: performance.now(), resolve, reject })
        schedule(false)
      }),
    flush: () => {
      while (waiting.length > 0) flushOne(Number.POSITIVE_INFINITY)
    },
  }
}
