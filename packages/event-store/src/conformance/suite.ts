import type { Capabilities, StoreUnderTest } from './adapter.ts'
import { appendRules } from './append-rules.ts'
import { concurrencyRules } from './concurrency-rules.ts'
import { failureRules } from './failure-rules.ts'
import { readRules } from './read-rules.ts'
import type { Rule } from './rule.ts'
import { tamperRules } from './tamper-rules.ts'

const timeoutMs = 30_000

const groups: Readonly<Record<string, ReadonlyArray<Rule>>> = {
  'appends and their repeats': appendRules,
  'reads and subscriptions': readRules,
  'many writers': concurrencyRules,
  'failures of disk and process': failureRules,
  'altered logs': tamperRules,
}

/**
 * Puts a store through the rules of the port. `cannot` names the capabilities that this adapter does not offer; the
 * rules that need them are listed in the report by name, and an adapter that offers more than it says fails.
 */
export const describeEventStore = (
  name: string,
  fresh: () => Promise<StoreUnderTest>,
  cannot: ReadonlyArray<keyof Capabilities> = [],
): void => {
  const isOffered = ({ needs }: Rule): boolean => needs === undefined || !cannot.includes(needs)
  describe(`the ${name} event store`, () => {
    for (const [group, rules] of Object.entries(groups)) {
      describe(group, () => {
        for (const { title, check } of rules.filter(isOffered)) {
          it(
            title,
            async () => {
              const subject = await fresh()
              try {
                await check(subject)
              } finally {
                await subject.dispose()
              }
            },
            timeoutMs,
          )
        }
      })
    }
    for (const { title, needs } of Object.values(groups)
      .flat()
      .filter((rule) => !isOffered(rule))) {
      it(`cannot be put through: ${title} (needs ${needs})`, async () => {
        const subject = await fresh()
        await subject.dispose()
        expect(needs === undefined ? undefined : subject[needs]).toBeUndefined()
      })
    }
  })
}
