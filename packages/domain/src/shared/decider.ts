import { type Either, right } from 'fp-ts/lib/Either.js'

/**
 * What one stream keeps consistent, as three pure parts.
 *
 * `decide` answers a command with a rejection or with the events that it causes; a command that is already satisfied
 * causes none. `evolve` never refuses history: an event that the state cannot hold is a defect and throws
 * `CorruptStream`.
 */
export interface Decider<Command, Event, State, Rejection> {
  readonly initial: State
  readonly evolve: (state: State, event: Event) => State
  readonly decide: (command: Command) => (state: State) => Either<Rejection, ReadonlyArray<Event>>
}

/** The decision about a command that is already satisfied. */
export const nothing: Either<never, ReadonlyArray<never>> = right([])

/** A defect: an event in a place where no decision of ours could have put it. */
export class CorruptStream extends Error {
  override readonly name = 'CorruptStream'
  constructor(eventType: string, status: string) {
    super(`${eventType} cannot follow a state that is ${status}`)
  }
}
