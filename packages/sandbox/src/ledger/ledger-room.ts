import { ledgerLimits } from './contract-settings.ts'
import type { Kind } from './fee-bid.ts'

/** What fits into a ledger: operations of classic transactions, and contract transactions by number. */
export type LedgerRoom = Readonly<Record<Kind, number>>

export const fullRoom: LedgerRoom = { classic: 1_000, contract: ledgerLimits.transactions }
