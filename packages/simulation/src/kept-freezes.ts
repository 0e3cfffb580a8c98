import type { KeptFreezes } from '@quittance/billing/testing/internals'
import type { FreezeDecision } from '@quittance/domain'

/** Keeps freezes beside a log, for all processes of a run. */
export const keptInMemory = (): KeptFreezes => {
  let inForce: ReadonlyArray<FreezeDecision> = []
  return {
    kept: () => inForce,
    keep: (now) => {
      inForce = now
    },
  }
}
