import { readFileSync } from 'node:fs'
import { endpoints, objects } from '@quittance/http/testing/interface'

const served = readFileSync('docs/contract.md', 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, rule = '']) => rule !== '' && !/^(Rule$|---|\*\*)/.test(rule))
  .map(([, rule = '', file = '', title = '']) => ({ rule, file, title }))

/** The fields of objects that the rows name, as in "`Wallet`: `id` `address`, once proven; `Asset`: `code`". */
const namedFields = (): ReadonlyArray<string> =>
  served.flatMap(({ rule }) =>
    [...rule.matchAll(/`(\w+)`:((?: `\w+`)+)/g)].flatMap(([, object, fields = '']) =>
      [...fields.matchAll(/`(\w+)`/g)].map(([, field]) => `${object}.${field}`),
    ),
  )

describe('the table of the contract', () => {
  it('names an existing test for each rule', () => {
    const missing = served.filter(({ file, title }) => {
      const path = file.startsWith('packages/') ? file : `apps/http/src/${file}`
      const test = readFileSync(path, 'utf8')
      return !test.includes(`'${title}'`) && !test.includes(`"${title}"`)
    })
    expect(missing).toEqual([])
  })

  it('has a test of every endpoint', () => {
    const named = served.flatMap(({ rule }) => /^`([A-Z]+) (\/[^`]*)`/.exec(rule)?.slice(1).join(' ') ?? [])
    expect([...new Set(named)].map((each) => each.replace(/^[A-Z]+/, (method) => method.toLowerCase())).sort()).toEqual(
      [...endpoints].sort(),
    )
  })

  it('has a test of every field', () => {
    const fields = Object.entries(objects).flatMap(([object, names]) =>
      names.split(' ').map((name) => `${object}.${name}`),
    )
    const tested = new Set(namedFields())
    expect([...tested].sort()).toEqual(fields.sort())
  })
})
