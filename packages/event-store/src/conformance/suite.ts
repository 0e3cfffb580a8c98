import type { Capabilities, StoreUnderTest } from './adapter.ts'
import { appendRules } from './append-rules.ts'
import { concurrencyRules } from './concurrency-rules.ts'
import { elsewhere } from './elsewhere.ts'
import { failureRules } from './failure-rules.ts'
import { readRules } from './read-rules.ts'
import type { Rule } from './rule.ts'
import { sequenceRules } from './sequence-rules.ts'
import { printTable } from './table.ts'
import { tamperRules } from './tamper-rules.ts'

const timeoutMs = 30_000

const groups: Readonly<Record<string, ReadonlyArray<Rule>>> = {
  'appends and their repeats': appendRules,
  'the classic sequences of repeats': sequenceRules,
  'reads and subscriptions': readRules,
  'many writers': concurrencyRules,
  'failures of disk and process': failureRules,
  'altered logs': tamperRules,
}

/**
 * Tests a store against the rules of the port. `cannot` lists the capabilities that the adapter lacks: rules that need
 * them appear in the printed table only. An adapter with more capabilities than declared fails.
 */
export const describeEventStore = (
  name: string,
  fresh: () => Promise<StoreUnderTest>,
  cannot: ReadonlyArray<keyof Capabilities> = [],
): void => {
  const isOffered = ({ needs }: Rule): boolean => needs === undefined || !cannot.includes(needs)
  const column: Record<string, string> = {}
  const entries = Object.entries(groups)
  for (const [group, rules] of entries) {
    for (const rule of rules) {
      column[`${group}: ${rule.title}`] = isOffered(rule) ? 'not run' : `cannot be put through (${rule.needs})`
    }
  }
  for (const { title, answer } of elsewhere) column[title] = answer(name)

  describe(name, () => {
    for (const [group, rules] of entries) {
      const offered = rules.filter(isOffered)
      if (offered.length === 0) continue
      describe(group, () => {
        for (const { title, check } of offered) {
          it(
            title,
            async () => {
              column[`${group}: ${title}`] = 'failed'
              const subject = await fresh()
              try {
                await check(subject)
              } finally {
                await subject.dispose()
              }
              column[`${group}: ${title}`] = 'passed'
            },
            timeoutMs,
          )
        }
      })
    }
    it('offers exactly the capabilities it declares', async () => {
      const subject = await fresh()
      await subject.dispose()
      expect(cannot.filter((capability) => subject[capability] !== undefined)).toEqual([])
    })
    afterAll(() => printTable(name, column))
  })
}
