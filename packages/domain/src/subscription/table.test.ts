import { readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { commandsIn, situations } from '../testing/subscription-states.ts'
import { Subscription } from './index.ts'

const page = readFileSync(new URL('../../../../docs/subscriptions.md', import.meta.url), 'utf8')
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()))

/** `docs/subscriptions.md`, of which the states have three columns and the outcomes four. */
const states = rows.filter((cells) => cells.length === 5 && cells[1] !== '' && /^`\w+`$/.test(cells[2] ?? ''))
const outcomes = rows.filter((cells) => cells.length === 6 && /^[A-Z]\w+(, [a-z ]+)?$/.test(cells[1] ?? ''))
const cells = outcomes.flatMap(([, command = '', outcome = '', where = '']) =>
  where.split('; ').map((state) => ({ command, state, outcome })),
)

/** What a command comes to in a state: the types of its events, `nothing`, or the tag of the rejection. */
const outcomeOf = (command: string, state: string): string | null => {
  const situation = situations[state]
  const given = situation === undefined ? undefined : commandsIn(situation)[command]
  if (situation === undefined || given === undefined) return null
  const decision = Subscription.decider.decide(given)(situation.state)
  if (E.isLeft(decision)) return decision.left._tag
  return decision.right.map(({ type }) => type).join(', ') || 'nothing'
}

describe('a subscription', () => {
  it.each(cells)('answers $command, $state: $outcome', ({ command, state, outcome }) =>
    expect(outcomeOf(command, state)).toBe(outcome),
  )
  it('has one answer to each command in each state, and a rule for it', () => {
    const all = Object.entries(situations).flatMap(([state, situation]) =>
      Object.keys(commandsIn(situation)).map((command) => `${command} | ${state}`),
    )
    expect(cells.map(({ command, state }) => `${command} | ${state}`).sort()).toEqual(all.sort())
    expect(outcomes.filter(([, , , , rule]) => rule === '')).toEqual([])
  })
  it('is in the status that the page says', () =>
    expect(states.map(([, name = '', status = '']) => [name, status])).toEqual(
      Object.entries(situations).map(([name, { state }]) => [name, `\`${state.status}\``]),
    ))
})
