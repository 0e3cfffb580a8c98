import assert from 'node:assert/strict'
import * as E from 'fp-ts/lib/Either.js'
import type { Decider } from '../shared/decider.ts'

/** What a test says about one command: the exact events it causes, or the exact rejection. */
export type Outcome<Event, Rejection> = {
  readonly then: (events: ReadonlyArray<Event>) => void
  readonly rejects: (rejection: Rejection) => void
}

/**
 * Given a history, when a command comes, then these events, or this rejection. Events that are caused are also folded,
 * so that no decision passes that `evolve` could not follow. What differs throws an `AssertionError` of Node, so any test
 * runner will do.
 */
export const scenario = <Command, Event, State, Rejection>({
  initial,
  evolve,
  decide,
}: Decider<Command, Event, State, Rejection>) => ({
  given: (history: ReadonlyArray<Event>) => ({
    when: (command: Command): Outcome<Event, Rejection> => {
      const state = history.reduce(evolve, initial)
      const decision = decide(command)(state)
      if (E.isRight(decision)) decision.right.reduce(evolve, state)
      return {
        // biome-ignore lint/suspicious/noThenProperty: the word the reader expects; an outcome is never awaited
        then: (events) => assert.deepEqual(decision, E.right(events)),
        rejects: (rejection) => assert.deepEqual(decision, E.left(rejection)),
      }
    },
  }),
})
