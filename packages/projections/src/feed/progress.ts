import type { EventStore, ReadFailure } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Checkpoint } from './checkpoints.ts'
import { LogUnreadable, readable } from './failures.ts'

/** The progress of read models: the events that they have applied, and those that the log holds beyond, up to 1,000. */
export type FeedProgress = {
  /** Of the read model that is furthest behind. */
  readonly events: number
  readonly lag: number
  readonly models: ReadonlyArray<{ readonly name: string; readonly version: number; readonly lag: number }>
  /** The read model that threw at the next event, so that all of them stand still; null where none did. */
  readonly defect: string | null
}

/** A read model, and what it has applied. */
export type Marked = { readonly name: string; readonly version: number; readonly mark: Checkpoint }

const mostLag = 1_000

/** The checkpoint of the read model that is the furthest behind. */
export const lowestOf = (marks: ReadonlyArray<Checkpoint>): Checkpoint =>
  marks.reduce((low, each) => (each.position < low.position ? each : low))

/** Compares read models with their log. Errors: throws `LogUnreadable`. */
export const progressOf = async (
  log: EventStore,
  models: ReadonlyArray<Marked>,
  defect: string | null,
): Promise<FeedProgress> => {
  const { position, events } = lowestOf(models.map(({ mark }) => mark))
  let lag = 0
  for await (const _ of readable(log.readAll(position))) {
    lag += 1
    if (lag === mostLag) break
  }
  return {
    events,
    lag,
    models: models.map(({ name, version, mark }) => ({ name, version, lag: Math.max(0, lag - mark.events + events) })),
    defect,
  }
}

/** Answers `StoreUnavailable` where the log cannot be read, or for the failures that are recognized as such. */
export const orUnavailable =
  <A>(work: () => Promise<A>, isFailure: (cause: unknown) => boolean = () => false): TE.TaskEither<ReadFailure, A> =>
  async () => {
    try {
      return E.right(await work())
    } catch (failure) {
      if (failure instanceof LogUnreadable) return E.left({ _tag: 'StoreUnavailable', cause: failure.cause })
      if (!isFailure(failure)) throw failure
      return E.left({ _tag: 'StoreUnavailable', cause: failure })
    }
  }
