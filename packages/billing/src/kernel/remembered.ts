import type { Aggregate } from '@quittance/domain'
import type { EventStore, Head } from '@quittance/event-store'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { foldOnto } from './execute.ts'
import type { StoreUnavailable } from './load.ts'

type Remembered<State> = { readonly head: Head; readonly state: State }

const mostStreams = 1_000

/**
 * The state of streams that nearly every command reads and hardly any changes, such as merchants: what was folded
 * before is kept, and only what came after it is read. It is as current as a read of the whole stream.
 */
export const rememberedStates = <Command, Event, State, Rejection>(
  store: EventStore,
  aggregate: Aggregate<Command, Event, State, Rejection>,
): ((id: string) => TE.TaskEither<StoreUnavailable, State>) => {
  const known = new Map<string, Remembered<State>>()
  return (id) => {
    const before = known.get(id)
    return pipe(
      // The last event that is known comes along: a store answers with an event faster than with a stream's end alone.
      store.readStream(`${aggregate.category}-${id}`, before?.head.revision),
      TE.map(({ events, head }) => {
        const news = before === undefined ? events : events.slice(1)
        const state = foldOnto(aggregate, before?.state ?? aggregate.decider.initial, news)
        if (known.size >= mostStreams) known.clear()
        if (events.length > 0) known.set(id, { head, state })
        return state
      }),
    )
  }
}
