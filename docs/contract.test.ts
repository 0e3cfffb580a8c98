import { readFileSync } from 'node:fs'

const rows = readFileSync('docs/contract.md', 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, rule = '']) => rule !== '' && !/^(Rule$|---|\*\*)/.test(rule))
  .map(([, rule = '', file = '', title = '']) => ({ rule, file, title }))

describe('the table of the contract', () => {
  it('names a test for each rule, which there is, in its words', () => {
    expect(rows.length).toBeGreaterThan(50)
    const missing = rows.filter(({ file, title }) => {
      const tests = readFileSync(`apps/http/src/${file}`, 'utf8')
      return !tests.includes(`('${title}'`)
    })
    expect(missing).toEqual([])
  })
})
