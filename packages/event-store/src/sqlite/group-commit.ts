import * as E from 'fp-ts/lib/Either.js'
import type { Appended, AppendFailure } from '../port.ts'
import type { SqlDatabase } from '../sql.ts'
import { appendWriter } from './append.ts'
import { isStoreFailure, leavesOutcomeOpen } from './failures.ts'
import { knownHeads } from './heads.ts'
import type { Projecting } from './projecting.ts'
import type { SealedAppend } from './seal-append.ts'

type Outcome = E.Either<AppendFailure, Appended>

type Waiting = {
  readonly append: SealedAppend
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (defect: unknown) => void
}

export type GroupCommit = {
  /** Seals an append and resolves once it is durable or refused. Rejects only for a defect, such as one of sealing. */
  readonly enqueue: (seal: () => SealedAppend) => Promise<Outcome>
  /** Commits all pending appends now. */
  readonly flush: () => void
}

// Bounds how long one commit blocks the process (some milliseconds).
const largestGroup = 512

/**
 * Appends that arrive during a commit share the next one. Each is judged alone; a failing commit discards its whole
 * group.
 */
export const groupCommit = (
  sql: SqlDatabase,
  projecting: Projecting,
  clock: () => number,
  onCommit: () => void,
): GroupCommit => {
  const known = knownHeads(sql)
  const write = appendWriter(sql, known, projecting)
  let waiting: Waiting[] = []
  let isScheduled = false

  const writeGroup = (group: ReadonlyArray<Waiting>): ReadonlyArray<Outcome> => {
    if (known.refresh()) projecting.catchUp()
    const before = known.tail().position
    const recordedAt = clock()
    const outcomes = group.map(({ append }) => write(append, recordedAt))
    const after = known.tail().position
    if (after > before) projecting.mark(after)
    return outcomes
  }

  const commitGroup = (group: ReadonlyArray<Waiting>): ReadonlyArray<Outcome> => {
    let isWritten = false
    try {
      return sql.transaction(() => {
        const outcomes = writeGroup(group)
        isWritten = true
        return outcomes
      })
    } catch (cause) {
      known.forget()
      if (!isStoreFailure(cause)) throw cause
      const isOpen = isWritten && leavesOutcomeOpen(cause)
      return group.map(() => E.left({ _tag: isOpen ? 'OutcomeUnknown' : 'StoreUnavailable', cause }))
    }
  }

  const flushOne = (): void => {
    const group = waiting.slice(0, largestGroup)
    waiting = waiting.slice(largestGroup)
    try {
      const outcomes = commitGroup(group)
      onCommit()
      group.forEach(({ resolve }, index) => {
        const outcome = outcomes[index]
        if (outcome !== undefined) resolve(outcome)
      })
    } catch (defect) {
      for (const { reject } of group) reject(defect)
    }
  }

  const schedule = (): void => {
    if (isScheduled || waiting.length === 0) return
    isScheduled = true
    // Runs after all callbacks of this turn, so that callers answered by the last commit can join the next.
    setImmediate(() => {
      isScheduled = false
      if (waiting.length > 0) flushOne()
      schedule()
    })
  }

  return {
    enqueue: (seal) =>
      new Promise((resolve, reject) => {
        waiting.push({ append: seal(), resolve, reject })
        schedule()
      }),
    flush: () => {
      while (waiting.length > 0) flushOne()
    },
  }
}
