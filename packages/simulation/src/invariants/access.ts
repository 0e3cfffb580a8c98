import type { Invariant } from './invariant.ts'

export const accessRules: ReadonlyArray<Invariant> = [
  {
    // Access passes, so the final state does not show it: an enemy asks for it on the way.
    rule: 'access outlasts what is paid for by an hour at most, or by seven days while no charge reached a ledger',
    broken: async ({ wrongAccess }) => [...wrongAccess],
  },
]
