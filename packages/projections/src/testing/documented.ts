import { readFileSync } from 'node:fs'

/** The rows of the documented table: a fact that gives a type of public event, always or in some case. */
export const documented = readFileSync(new URL('../../../../docs/webhook-events.md', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, types = '', facts = '', where = ''] = line.split('|').map((cell) => cell.trim())
    const named = (cell: string) => [...cell.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name)
    return named(types).flatMap((type) => named(facts).map((fact) => ({ type, fact, isAlways: where === '' })))
  })
