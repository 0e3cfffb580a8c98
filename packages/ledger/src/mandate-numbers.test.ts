import { readFileSync } from 'node:fs'
import { mandateNumbers } from './mandate-numbers.ts'

it('the numbers of refusals are those of the contract, all of them', () => {
  const source = readFileSync(new URL('../../../contracts/mandate/src/types.rs', import.meta.url), 'utf8')
  const [, refusals = ''] = /enum Error \{([^}]*)\}/.exec(source) ?? []
  const found = [...refusals.matchAll(/(\w+) = (\d+),/g)].map(([, name, number]) => [name, Number(number)])
  expect(Object.fromEntries(found)).toEqual(mandateNumbers)
})
