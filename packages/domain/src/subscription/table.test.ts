import { readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { commandsIn, situations } from '../testing/subscription-states.ts'
import { Subscription } from './index.ts'

const page = readFileSync(new URL('../../../../docs/subscriptions.md', import.meta.url), 'utf8')
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()))

/** In `docs/subscriptions.md`, rows of states have three columns, and rows of outcomes four. */
const states = rows.filter((cells) => cells.length === 5 && cells[1] !== '' && /^`\w+`$/.test(cells[2] ?? ''))
const outcomes = rows
  .filter((cells) => cells.length === 6 && /^([A-Z]\w+(, [a-z ]+)?|Every command)$/.test(cells[1] ?? ''))
  .map(([, command = '', outcome = '', where = '', rule = '']) => ({ command, outcome, in: where.split('; '), rule }))

const all = Object.entries(situations).flatMap(([state, situation]) =>
  Object.keys(commandsIn(situation)).map((command) => ({ command, state })),
)

/** The outcomes that the page gives a command in a state: its own row, else the row of every command, else of every other state. */
const documented = ({ command, state }: { command: string; state: string }): ReadonlyArray<string> => {
  const given = (by: string, at: string) => outcomes.filter((row) => row.command === by && row.in.includes(at))
  const tiers = [given(command, state), given('Every command', state), given(command, 'every other state')]
  return (tiers.find((tier) => tier.length > 0) ?? []).map(({ outcome }) => outcome)
}

/** The outcome of a command in a state: the types of its events, `nothing`, or the tag of the rejection. */
const outcomeOf = (command: string, state: string): string | null => {
  const situation = situations[state]
  const given = situation === undefined ? undefined : commandsIn(situation)[command]
  if (situation === undefined || given === undefined) return null
  const decision = Subscription.decider.decide(given)(situation.state)
  if (E.isLeft(decision)) return decision.left._tag
  return decision.right.map(({ type }) => type).join(', ') || 'nothing'
}

describe('the page of subscriptions', () => {
  it.each(all.map((cell) => ({ ...cell, outcomes: documented(cell) })))(
    'gives the one outcome of $command, $state: $outcomes',
    (cell) => expect(cell.outcomes).toEqual([outcomeOf(cell.command, cell.state)]),
  )
  it('names only commands and states that exist, with a rule for each row', () => {
    const commands = new Set(['Every command', ...all.map(({ command }) => command)])
    const named = new Set(['every other state', ...Object.keys(situations)])
    expect(
      outcomes.filter((row) => !commands.has(row.command) || !row.in.every((at) => named.has(at)) || row.rule === ''),
    ).toEqual([])
  })
  it('gives the status of each state', () =>
    expect(states.map(([, name = '', status = '']) => [name, status])).toEqual(
      Object.entries(situations).map(([name, { state }]) => [name, `\`${state.status}\``]),
    ))
})
