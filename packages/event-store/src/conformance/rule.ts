import type { Capabilities, StoreUnderTest } from './adapter.ts'

/** A rule for every event store, and the capabilities needed to test it. */
export type Rule = {
  readonly title: string
  readonly needs?: keyof Capabilities
  readonly check: (subject: StoreUnderTest) => Promise<void>
}

/** A capability that the rule lists in `needs`. */
export const capable = <A>(capability: A | undefined): A => {
  if (capability === undefined) throw new Error('This rule uses a capability that it does not list')
  return capability
}
