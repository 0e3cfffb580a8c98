import { type Halted, haltedAt } from '@quittance/ledger'

/** Why a ledger is not followed any further, and at which one. Which nodes are concerned is for the log alone. */
export type HaltedLedger = { readonly reason: Halted['_tag']; readonly ledger: number }

export const haltedLedger = (halted: Halted): HaltedLedger => ({ reason: halted._tag, ledger: haltedAt(halted) })
