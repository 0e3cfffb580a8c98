import type { Billing, Clock, Deliverer, Worker } from '@quittance/billing'
import type { Health } from './health.ts'
import type { SandboxNode } from './sandbox-node.ts'
import type { CatchUp } from './workers.ts'

/** What commands and tests work with. */
export type Platform = {
  readonly billing: Billing
  readonly workers: ReadonlyArray<Worker>
  readonly deliverer: Deliverer
  readonly catchUp: CatchUp
  readonly readiness: Health['readiness']
  readonly clock: Clock
  /** Null when the testnet is a real network. */
  readonly sandbox: SandboxNode | null
  readonly close: () => Promise<void>
}
