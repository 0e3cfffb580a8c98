import type { Aggregate, NewEvent } from '@quittance/domain'
import { recordedWhile } from '../sales.ts'
import { momentOf } from './names.ts'

/** What an aggregate records for the commands that follow from each state, at the moment of a number. */
export const recordedAt = <Command, Event, State, Rejection>(
  number: number,
  kind: number,
  aggregate: Aggregate<Command, Event, State, Rejection>,
  next: ReadonlyArray<Command> | ((state: State) => Command | null),
  before: State = aggregate.decider.initial,
): ReadonlyArray<NewEvent> => {
  const left = typeof next === 'function' ? null : next.values()
  const given = typeof next === 'function' ? next : () => left?.next().value ?? null
  return recordedWhile(aggregate, before, given, number, kind).map((event) => ({
    ...event,
    context: { ...event.context, occurredAt: momentOf(number) },
  }))
}
