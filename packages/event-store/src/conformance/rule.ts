import type { Capabilities, StoreUnderTest } from './adapter.ts'

/** One thing that every event store must do, and what a tester must be able to do to see it. */
export type Rule = {
  readonly title: string
  readonly needs?: keyof Capabilities
  readonly check: (subject: StoreUnderTest) => Promise<void>
}

/** A capability that the rule has named in `needs`. */
export const capable = <A>(capability: A | undefined): A => {
  if (capability === undefined) throw new Error('This rule uses a capability that it does not name')
  return capability
}
