import { setTimeout as pause } from 'node:timers/promises'
import type { RecordedEvent } from '@quittance/domain'
import type { EventStore, InlineProjection, ReadFailure, SqlDatabase } from '@quittance/event-store'
import { isStoreFailure } from '@quittance/event-store/sqlite'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Checkpoint, checkpoints } from './checkpoints.ts'
import { ProjectionDefect, readable } from './failures.ts'
import { inBatches } from './in-batches.ts'
import { type FeedProgress, lowestOf, orUnavailable, progressOf } from './progress.ts'
import { requireLogOf } from './require-log-of.ts'
import { waiters } from './waiters.ts'

/** Keeps read models of a log that is on a server. */
export interface Projector {
  /**
   * Catches up with the log, then applies new events as they arrive.
   * Errors: throws `OtherLog` and `ProjectionDefect`; answers `StoreUnavailable` where the log cannot be read.
   */
  readonly begin: TE.TaskEither<ReadFailure, void>
  /** Applies all that the log holds now. Errors: as `begin`. */
  readonly catchUp: TE.TaskEither<ReadFailure, void>
  /** Resolves once the event at a position is applied, or after so many milliseconds. */
  readonly reached: (position: bigint, withinMs: number) => Promise<void>
  readonly progress: TE.TaskEither<ReadFailure, FeedProgress>
  /** How many events of the log every read model has applied. */
  readonly applied: () => number
  readonly close: () => Promise<void>
}

/** Keeps read models in a file. */
export type FileProjector = Projector & {
  /** Applies events of the log that somebody else has read, in their order and from the first on. Errors: throws as `begin`. */
  readonly take: (events: ReadonlyArray<RecordedEvent>) => void
}

const eventsPerCommit = 500
const beforeFollowingAgainMs = 250

/**
 * Applies each event of the log to every read model: rows and checkpoint are committed together, what has arrived at
 * once in one transaction. A read model of a new version starts from the first event, beside the old one.
 *
 * Several processes may do this on one file: each commit begins behind the checkpoint that it finds, which never goes
 * back, so every event is applied once, by any of them. `database` may lose its last commits with the power: what
 * they held is in the log, and applied again. Errors: throws `RangeError` where two have one name and version.
 */
export const createProjector = (
  log: EventStore,
  database: SqlDatabase,
  projections: ReadonlyArray<InlineProjection>,
): FileProjector => {
  if (new Set(projections.map(({ name, version }) => `${name}_${version}`)).size < projections.length)
    throw new RangeError('two projections have one name and version')
  const marks = database.transaction(() => {
    for (const { create } of projections) create(database)
    return checkpoints(database)
  })
  const open = projections.map(({ name, version, prepare, prepareMany }) => ({
    name,
    version,
    apply: prepare(database),
    applyMany: prepareMany?.(database) ?? null,
  }))
  const waiting = waiters()
  const closing = new AbortController()
  let applying: Promise<void> = Promise.resolve()
  let defect: string | null = null

  const lowest = (): Checkpoint => lowestOf(open.map(marks.of))

  const apply = (events: ReadonlyArray<RecordedEvent>): void => {
    const known = lowest().position
    const isNews = events.some(({ position }) => position > known)
    // Where another process was first, nobody has to wait for the file.
    const now = isNews ? applyNews(events) : known
    waiting.wake(now)
  }

  const applyOne = ({ name, apply: project }: (typeof open)[number], event: RecordedEvent): void => {
    try {
      project(event)
    } catch (cause) {
      if (isStoreFailure(cause)) throw cause
      defect = name
      throw new ProjectionDefect(name, event, cause)
    }
  }

  /** At once where that works; else one by one, which finds the event that the projection refuses. */
  const applyInOrder = (projection: (typeof open)[number], events: ReadonlyArray<RecordedEvent>): void => {
    const { applyMany } = projection
    if (applyMany !== null && isTaken(() => applyMany(events))) return
    for (const event of events) applyOne(projection, event)
  }

  /** Whether a projection does not throw; if it does, what it has written is undone. */
  const isTaken = (work: () => void): boolean => {
    try {
      database.transaction(work)
      return true
    } catch (cause) {
      if (isStoreFailure(cause)) throw cause
      return false
    }
  }

  const applyNews = (events: ReadonlyArray<RecordedEvent>): bigint => {
    const reached = database.transaction(() => {
      for (const projection of open) {
        const before = marks.of(projection)
        const fresh = events.filter(({ position }) => position > before.position)
        if (fresh.length > 0) applyInOrder(projection, fresh)
        const last = fresh.at(-1)
        if (last !== undefined) marks.set(projection, last, before.events + fresh.length)
      }
      return lowest().position
    })
    defect = null
    return reached
  }

  const applyAll = async (events: AsyncIterable<RecordedEvent>): Promise<void> => {
    for await (const batch of inBatches(readable(events), eventsPerCommit)) {
      if (closing.signal.aborted) return
      apply(batch)
    }
  }

  const applyLog = (): Promise<void> => applyAll(log.readAll(lowest().position))

  /** Begins again after any failure: callers of `catchUp`, as the workers are, meet the same failure and report it. */
  const follow = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const attempt = new AbortController()
      const signal = AbortSignal.any([closing.signal, attempt.signal])
      await applyAll(log.subscribe(lowest().position, signal)).catch(() => undefined)
      attempt.abort()
      await pause(beforeFollowingAgainMs, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }

  return {
    begin: orUnavailable(async () => {
      const { last } = lowest()
      if (last !== null) await requireLogOf(log, last)
      await applyLog()
      applying = follow()
    }),
    catchUp: orUnavailable(applyLog),
    take: apply,
    reached: (position, withinMs) =>
      position <= lowest().position ? Promise.resolve() : waiting.until(position, withinMs),
    progress: orUnavailable(() =>
      progressOf(
        log,
        open.map((model) => ({ ...model, mark: marks.of(model) })),
        defect,
      ),
    ),
    applied: () => lowest().events,
    close: async () => {
      closing.abort()
      await applying
    },
  }
}
