import { readFileSync } from 'node:fs'
import { situations } from '../testing/subscription-states.ts'
import { subscriptionTable } from '../testing/subscription-table.ts'

const page = readFileSync(new URL('../../../../docs/subscriptions.md', import.meta.url), 'utf8')
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()))

/** `docs/subscriptions.md`, of which the states have three columns and the outcomes four. */
const states = rows.filter((cells) => cells.length === 5 && cells[1] !== '' && /^`\w+`$/.test(cells[2] ?? ''))
const outcomes = rows
  .filter((cells) => cells.length === 6 && /^[A-Z]\w+(, [a-z ]+)?$/.test(cells[1] ?? ''))
  .map(([, command = '', outcome = '', where = '', rule = '']) => ({
    command,
    outcome,
    states: where.split('; '),
    rule,
  }))

describe('a subscription in any state', () => {
  it('answers every command as the page says', () =>
    expect(outcomes.map(({ rule: _, ...row }) => row).sort(byName)).toEqual([...subscriptionTable()].sort(byName)))
  it('has a rule for each answer', () => expect(outcomes.filter(({ rule }) => rule === '')).toEqual([]))
  it('is in the status that the page says', () =>
    expect(states.map(([, name = '', status = '']) => [name, status])).toEqual(
      Object.entries(situations).map(([name, { state }]) => [name, `\`${state.status}\``]),
    ))
  it('leaves no cell empty', () => {
    const cells = outcomes.flatMap(({ command, states: where }) => where.map((state) => `${command} | ${state}`))
    const commands = new Set(outcomes.map(({ command }) => command))
    expect(new Set(cells).size).toBe(cells.length)
    expect(cells).toHaveLength(commands.size * Object.keys(situations).length)
  })
})

const byName = (one: { readonly command: string; readonly outcome: string }, other: typeof one): number =>
  `${one.command} ${one.outcome}` < `${other.command} ${other.outcome}` ? -1 : 1
