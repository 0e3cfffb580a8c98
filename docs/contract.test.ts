import { readFileSync } from 'node:fs'
import { endpoints, objects } from '@quittance/http/testing/interface'

/** The rules of a table in a guide, with the tests that prove them. */
const rulesIn = (guide: string, root: string) =>
  readFileSync(guide, 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, rule = '']) => rule !== '' && !/^(Rule$|---|\*\*)/.test(rule))
    .map(([, rule = '', file = '', title = '']) => ({
      rule,
      path: file.startsWith('packages/') ? file : `${root}/${file}`,
      title,
    }))

const served = rulesIn('docs/contract.md', 'apps/http/src')

const withoutTest = (rules: ReturnType<typeof rulesIn>) =>
  rules.filter(({ path, title }) => {
    const test = readFileSync(path, 'utf8')
    return !test.includes(`'${title}'`) && !test.includes(`"${title}"`)
  })

/** The fields of objects that the rows name, as in "`Wallet`: `id` `address`, once proven; `Asset`: `code`". */
const namedFields = (): ReadonlyArray<string> =>
  served.flatMap(({ rule }) =>
    [...rule.matchAll(/`(\w+)`:((?: `\w+`)+)/g)].flatMap(([, object, fields = '']) =>
      [...fields.matchAll(/`(\w+)`/g)].map(([, field]) => `${object}.${field}`),
    ),
  )

describe('the table of the contract', () => {
  it('names an existing test for each rule', () => {
    expect(withoutTest(served)).toEqual([])
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

describe('the table of rules of a long life', () => {
  it('names an existing test for each rule', () => {
    const rules = rulesIn('docs/rules.md', 'packages')
    expect(rules.length).toBeGreaterThan(30)
    expect(withoutTest(rules)).toEqual([])
  })
})
