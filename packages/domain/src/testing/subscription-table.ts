import * as E from 'fp-ts/lib/Either.js'
import { Subscription } from '../subscription/index.ts'
import { commandsIn, situations } from './subscription-states.ts'

/** What one command comes to in some states: the types of its events, `nothing`, or the tag of the rejection. */
export type TableRow = { readonly command: string; readonly outcome: string; readonly states: ReadonlyArray<string> }

/** Every command in every state; states in which a command comes to the same are one row. */
export const subscriptionTable = (): ReadonlyArray<TableRow> => {
  const rows = new Map<string, { command: string; outcome: string; states: string[] }>()
  for (const [name, situation] of Object.entries(situations)) {
    for (const [command, given] of Object.entries(commandsIn(situation))) {
      const decision = Subscription.decider.decide(given)(situation.state)
      const events = E.isLeft(decision) ? decision.left._tag : decision.right.map(({ type }) => type).join(', ')
      const outcome = events === '' ? 'nothing' : events
      const row = rows.get(`${command} ${outcome}`)
      if (row === undefined) rows.set(`${command} ${outcome}`, { command, outcome, states: [name] })
      else row.states.push(name)
    }
  }
  return [...rows.values()]
}
