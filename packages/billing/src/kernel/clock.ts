import type { UnixMs } from '@quittance/domain'

/** The one clock of a deployment. In the sandbox it can be moved, and drives service, worker and ledger. */
export interface Clock {
  readonly now: () => UnixMs
}
