import type { Aggregate, RecordedEvent } from '@quittance/domain'
import { decodedBy } from '@quittance/projections'

/** The state that recorded events lead to, from the initial one or from that of earlier events. */
export const fold = <Command, Event, State, Rejection>(
  aggregate: Aggregate<Command, Event, State, Rejection>,
  events: ReadonlyArray<RecordedEvent>,
  before: State = aggregate.decider.initial,
): State => {
  const decode = decodedBy(aggregate)
  return events.reduce((state, recorded) => aggregate.decider.evolve(state, decode(recorded)), before)
}
