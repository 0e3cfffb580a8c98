import type { Environment } from '@quittance/domain'
import type { PayoutTrouble } from './payouts-readiness.ts'

/** Where checkpoints of the log cannot be put on the ledger. Money goes out as ever. */
export type AnchorsReadiness = {
  readonly status: 'ok' | 'degraded'
  readonly failing: ReadonlyArray<Environment>
}

export const anchorsReadiness = (troubles: ReadonlyArray<PayoutTrouble>): AnchorsReadiness => {
  const failing = troubles.filter(({ reason }) => reason === 'CannotAnchor').map(({ environment }) => environment)
  return { status: failing.length === 0 ? 'ok' : 'degraded', failing }
}
