import { setTimeout as pause } from 'node:timers/promises'
import type { PostgresProjection, PostgresSchema } from '@quittance/event-store/postgres'
import type { Checkpoint } from '../feed/checkpoints.ts'
import { lowestOf } from '../feed/progress.ts'
import { readMarks } from './feed-marks.ts'

/** What the database says of the checkpoints, whoever has moved them. */
export type MarksWatch = {
  readonly read: () => Promise<ReadonlyArray<Checkpoint>>
  /** Whether every read model has applied a position within so many milliseconds. Errors: rejects with `PostgresError`. */
  readonly passes: (position: bigint, withinMs: number) => Promise<boolean>
  /** Resolves once it has, or after so many milliseconds, even where the database is away. */
  readonly reached: (position: bigint, withinMs: number) => Promise<void>
  /** How many events every read model had applied when somebody last looked. */
  readonly applied: () => number
}

/** Notifications are hints: those that wait also look this often. */
const betweenLooksMs = 100

/** Ends all waiting at the abort. */
export const watchMarks = (
  schema: PostgresSchema,
  projections: ReadonlyArray<PostgresProjection>,
  closing: AbortSignal,
): MarksWatch => {
  let applied = 0

  const read = shared(async () => {
    const marks = await readMarks(schema, projections)
    applied = lowestOf(marks).events
    return marks
  })

  const passesUntil = async (position: bigint, end: AbortSignal): Promise<boolean> => {
    for (;;) {
      const heard = schema.heard()
      if (position <= lowestOf(await read()).position) return true
      if (end.aborted) return false
      await schema.sleep(heard, AbortSignal.any([end, AbortSignal.timeout(betweenLooksMs)]))
    }
  }

  const reachedUntil = async (position: bigint, end: AbortSignal): Promise<void> => {
    while (!end.aborted) {
      try {
        await passesUntil(position, end)
        return
      } catch {
        await pause(betweenLooksMs, undefined, { signal: end }).catch(() => undefined)
      }
    }
  }

  const after = (ms: number): AbortSignal => AbortSignal.any([closing, AbortSignal.timeout(ms)])
  return {
    read,
    passes: (position, withinMs) => passesUntil(position, after(withinMs)),
    reached: async (position, withinMs) => {
      const end = after(withinMs)
      await Promise.race([reachedUntil(position, end), aborted(end)])
    },
    applied: () => applied,
  }
}

/** Asks once for all who ask while an answer is under way: they share the next, which is not older than their question. */
const shared = <A>(ask: () => Promise<A>): (() => Promise<A>) => {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<A> | null = null
  return () => {
    next ??= running.then(() => {
      next = null
      const answer = ask()
      running = answer.catch(() => undefined)
      return answer
    })
    return next
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
