import type { Aggregate, RecordedEvent } from '@quittance/domain'
import type { EventStore, Head } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import {
  appendDecided,
  type CommandContext,
  type Decide,
  type ExecuteFailure,
  isOwn,
  withoutConflict,
} from './execute.ts'
import { fold } from './fold.ts'
import type { StoreUnavailable } from './load.ts'

const mostStreams = 1_000

/** A stream as far as it was read. `begin` is its first event, none before there is one. */
type Known<State> = { readonly head: Head; readonly state: State; readonly begin: ReadonlyArray<RecordedEvent> }

/** The streams of one aggregate, with their states kept in memory. */
export interface RememberedStreams<Event, State> {
  readonly read: (id: string) => Promise<E.Either<StoreUnavailable, Known<State>>>
  /**
   * As `decideOn`, without the history: it costs as much as what is new in the stream. The command is not recognized by
   * its id, so the decision must find by the state what it has decided before.
   */
  readonly decide: <Rejection>(
    id: string,
    context: CommandContext,
    decide: Decide<State, Event, Rejection>,
  ) => Promise<E.Either<ExecuteFailure, E.Either<Rejection, State>>>
}

/**
 * Keeps the state of each stream and reads only the events after it, so the answer is as current as a read of the whole
 * stream.
 */
export const rememberedStreams = <Command, Event, State, Rejection>(
  store: EventStore,
  aggregate: Aggregate<Command, Event, State, Rejection>,
): RememberedStreams<Event, State> => {
  const remembered = new Map<string, Known<State>>()
  const keep = (id: string, known: Known<State>): Known<State> => {
    // The stream that was used longest ago is forgotten first.
    remembered.delete(id)
    if (known.begin.length > 0) remembered.set(id, known)
    const [oldest] = remembered.keys()
    if (remembered.size > mostStreams && oldest !== undefined) remembered.delete(oldest)
    return known
  }
  const read = async (id: string): Promise<E.Either<StoreUnavailable, Known<State>>> => {
    const before = remembered.get(id)
    // Read again from the last remembered event: a store answers with an event faster than with a stream's end alone.
    const slice = await store.readStream(`${aggregate.category}-${id}`, before?.head.revision)()
    if (E.isLeft(slice)) return slice
    const { events, head } = slice.right
    const newer = events.filter(({ revision }) => revision > (before?.head.revision ?? -1n))
    const state = fold(aggregate, newer, before?.state)
    return E.right(keep(id, { head, state, begin: before?.begin ?? events.slice(0, 1) }))
  }
  return {
    read,
    decide: (id, context, decide) => {
      const stream = `${aggregate.category}-${id}`
      return withoutConflict(store, stream, async () => {
        const known = await read(id)
        if (E.isLeft(known)) return known
        const { head, state, begin } = known.right
        if (!isOwn(begin, context)) return E.left({ _tag: 'ForeignStream', stream })
        const decided = await decide(state)
        if (E.isLeft(decided)) return E.right(decided)
        if (decided.right.length === 0) return E.right(E.right(state))
        const appended = await appendDecided(store, aggregate, id, context, { head, begin: begin[0] }, decided.right)
        if (E.isLeft(appended)) return appended
        if (appended.right === 'conflict') return null
        const after = decided.right.reduce(aggregate.decider.evolve, state)
        const { head: newHead, events } = appended.right
        keep(id, { head: newHead, state: after, begin: begin.length > 0 ? begin : events.slice(0, 1) })
        return E.right(E.right(after))
      })
    },
  }
}

/** The states of streams that nearly every command reads and hardly any changes, such as merchants. */
export const rememberedStates = <Command, Event, State, Rejection>(
  store: EventStore,
  aggregate: Aggregate<Command, Event, State, Rejection>,
): ((id: string) => Promise<E.Either<StoreUnavailable, State>>) => {
  const { read } = rememberedStreams(store, aggregate)
  return async (id) => E.map(({ state }: Known<State>) => state)(await read(id))
}
