import * as E from 'fp-ts/lib/Either.js'
import type { Decider } from '../shared/decider.ts'

/** What a command comes to: the types of its events, `nothing`, or the tag of the rejection. */
export type Outcomes<Status extends string, Type extends string> = Readonly<
  Record<Status, Readonly<Record<Type, string>>>
>

/** The whole table of an aggregate: each command given in a state of each status. */
export const outcomeTable = <
  Status extends string,
  Command extends { readonly type: string },
  Event extends { readonly type: string },
  State extends { readonly status: Status },
  Rejection extends { readonly _tag: string },
>(
  { initial, evolve, decide }: Decider<Command, Event, State, Rejection>,
  histories: Readonly<Record<Status, ReadonlyArray<Event>>>,
  commands: ReadonlyArray<Command>,
) =>
  Object.fromEntries(
    Object.entries<ReadonlyArray<Event>>(histories).map(([status, history]) => {
      const state = history.reduce(evolve, initial)
      if (state.status !== status) throw new Error(`the history of ${status} makes ${state.status}`)
      const outcomes = commands.map((command) => {
        const decision = decide(command)(state)
        const outcome = E.isLeft(decision)
          ? decision.left._tag
          : decision.right.map(({ type }) => type).join(', ') || 'nothing'
        return [command.type, outcome]
      })
      return [status, Object.fromEntries(outcomes)]
    }),
  )
