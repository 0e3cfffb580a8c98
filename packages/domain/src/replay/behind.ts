import type { Aggregate } from '../shared/aggregate.ts'
import type { UnixMs } from '../shared/units.ts'

type CommandOf<A> = A extends Aggregate<infer Command, infer _Event, infer _State, infer _Rejection> ? Command : never
type EventOf<A> = A extends Aggregate<infer _Command, infer Event, infer _State, infer _Rejection> ? Event : never
type StateOf<A> = A extends Aggregate<infer _Command, infer _Event, infer State, infer _Rejection> ? State : never

/**
 * The commands that may have recorded an event, in the state before it: all that its data leave open. `next` are the events that
 * follow it in the same append, and `at` the time of that. What a command says without leaving a trace in an event is filled in
 * so that the command passes if any such command would. Empty where the event is never the first one of a command.
 */
export type Behind<A> = (
  state: StateOf<A>,
  event: EventOf<A>,
  next: ReadonlyArray<EventOf<A>>,
  at: UnixMs,
) => ReadonlyArray<CommandOf<A>>
