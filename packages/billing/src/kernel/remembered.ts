import type { Aggregate } from '@quittance/domain'
import type { EventStore, Head } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import { fold } from './fold.ts'
import type { StoreUnavailable } from './load.ts'

const mostStreams = 1_000

/**
 * The states of streams that nearly every command reads and hardly any changes, such as merchants. It keeps each state and
 * reads only the events after it, so the answer is as current as a read of the whole stream.
 */
export const rememberedStates = <Command, Event, State, Rejection>(
  store: EventStore,
  aggregate: Aggregate<Command, Event, State, Rejection>,
): ((id: string) => Promise<E.Either<StoreUnavailable, State>>) => {
  const remembered = new Map<string, { readonly head: Head; readonly state: State }>()
  return async (id) => {
    const before = remembered.get(id)
    // Read again from the last remembered event: a store answers with an event faster than with a stream's end alone.
    const slice = await store.readStream(`${aggregate.category}-${id}`, before?.head.revision)()
    if (E.isLeft(slice)) return slice
    const { events, head } = slice.right
    const newer = before === undefined ? events : events.slice(1)
    const state = fold(aggregate, newer, before?.state)
    if (remembered.size >= mostStreams) remembered.clear()
    if (events.length > 0) remembered.set(id, { head, state })
    return E.right(state)
  }
}
