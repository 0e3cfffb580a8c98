import type { Decider } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'

/** Decides several commands one after the other, to record their events together. */
export const allOf =
  <Command, Event, State, Rejection>(
    { decide, evolve }: Decider<Command, Event, State, Rejection>,
    commands: ReadonlyArray<Command>,
  ) =>
  (initial: State): E.Either<Rejection, ReadonlyArray<Event>> => {
    const decided: Array<Event> = []
    let state = initial
    for (const command of commands) {
      const events = decide(command)(state)
      if (E.isLeft(events)) return events
      decided.push(...events.right)
      state = events.right.reduce(evolve, state)
    }
    return E.right(decided)
  }
