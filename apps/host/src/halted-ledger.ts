import { type Halted, haltedAt } from '@quittance/ledger'

/** Why ingestion stopped, and at which ledger. Only the log names the nodes. */
export type HaltedLedger = { readonly reason: Halted['_tag']; readonly ledger: number }

export const haltedLedger = (halted: Halted): HaltedLedger => ({ reason: halted._tag, ledger: haltedAt(halted) })
