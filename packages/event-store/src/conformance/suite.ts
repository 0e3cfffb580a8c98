import assert from 'node:assert/strict'
import type { Capabilities, StoreUnderTest } from './adapter.ts'
import { appendRules } from './append-rules.ts'
import { concurrencyRules } from './concurrency-rules.ts'
import { failureRules } from './failure-rules.ts'
import { readRules } from './read-rules.ts'
import type { Rule } from './rule.ts'
import { sequenceRules } from './sequence-rules.ts'
import { tamperRules } from './tamper-rules.ts'

/**
 * What the suite asks of a test runner. The functions of these names of jest, `node:test`, vitest and mocha will do.
 * Checks that fail throw an `AssertionError` of Node. A check may take ten seconds on a slow machine: a runner that
 * allows less gets an `it` that sets its own limit.
 */
export type TestRunner = {
  readonly describe: (title: string, define: () => void) => unknown
  readonly it: (title: string, check: () => Promise<void>) => unknown
}

/** The rules of the port, in the groups in which they are reported. */
export const ruleGroups: Readonly<Record<string, ReadonlyArray<Rule>>> = {
  'appends and their repeats': appendRules,
  'the classic sequences of repeats': sequenceRules,
  'reads and subscriptions': readRules,
  'many writers': concurrencyRules,
  'failures of disk and process': failureRules,
  'altered logs': tamperRules,
}

/**
 * Tests a store against the rules of the port `EventStore`. `fresh` opens an empty store for each rule. `cannot` lists
 * the capabilities that the adapter lacks: rules that need them are left out. An adapter with more capabilities than
 * declared fails.
 */
export const describeEventStore = (
  { describe, it }: TestRunner,
  name: string,
  fresh: () => Promise<StoreUnderTest>,
  cannot: ReadonlyArray<keyof Capabilities> = [],
): void => {
  const isOffered = ({ needs }: Rule): boolean => needs === undefined || !cannot.includes(needs)
  const check = async (rule: Rule): Promise<void> => {
    const subject = await fresh()
    try {
      await rule.check(subject)
    } finally {
      await subject.dispose()
    }
  }
  describe(name, () => {
    for (const [group, rules] of Object.entries(ruleGroups)) {
      const offered = rules.filter(isOffered)
      if (offered.length === 0) continue
      describe(group, () => {
        for (const rule of offered) it(rule.title, () => check(rule))
      })
    }
    it('offers exactly the capabilities it declares', async () => {
      const subject = await fresh()
      await subject.dispose()
      assert.deepEqual(
        cannot.filter((capability) => subject[capability] !== undefined),
        [],
      )
    })
  })
}
