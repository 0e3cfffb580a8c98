import type { Capabilities, StoreUnderTest } from '../conformance/adapter.ts'
import { elsewhere } from '../conformance/elsewhere.ts'
import { describeEventStore, ruleGroups, type TestRunner } from '../conformance/suite.ts'
import { printTable } from './table.ts'

const timeoutMs = 30_000

/** As `describeEventStore`, under jest; prints how each rule ended, beside the other adapters. */
export const reportEventStore = (
  name: string,
  fresh: () => Promise<StoreUnderTest>,
  cannot: ReadonlyArray<keyof Capabilities> = [],
): void => {
  const column: Record<string, string> = {}
  for (const [group, rules] of Object.entries(ruleGroups))
    for (const { title, needs } of rules) {
      const isOffered = needs === undefined || !cannot.includes(needs)
      column[`${group}: ${title}`] = isOffered ? 'not run' : `cannot be put through (${needs})`
    }
  for (const { title, answer } of elsewhere) column[title] = answer(name)

  let group = ''
  const runner: TestRunner = {
    describe: (title, define) => {
      group = title
      describe(title, define)
    },
    it: (title, check) => {
      const key = `${group}: ${title}`
      const isRule = key in column
      const note = (outcome: string): void => {
        if (isRule) column[key] = outcome
      }
      it(
        title,
        async () => {
          note('failed')
          await check()
          note('passed')
        },
        timeoutMs,
      )
    },
  }
  describe('the rules of the port', () => {
    describeEventStore(runner, name, fresh, cannot)
    afterAll(() => printTable(name, column))
  })
}
