import type { Decider } from './decider.ts'
import type { EventFormat } from './event-format.ts'

/**
 * All that an application needs in order to run commands against one kind of stream: the category its stream names
 * begin with (`product` for `product-<id>`), its decider, and how its events are written and read.
 */
export interface Aggregate<Command, Event, State, Rejection> {
  readonly category: string
  readonly decider: Decider<Command, Event, State, Rejection>
  readonly events: EventFormat<Event>
}
