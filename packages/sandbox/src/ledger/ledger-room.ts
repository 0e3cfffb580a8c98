import { ledgerLimits } from './contract-settings.ts'
import type { Kind } from './fee-bid.ts'

/** The capacity of a ledger: classic operations, and contract transactions. */
export type LedgerRoom = Readonly<Record<Kind, number>>

export const fullRoom: LedgerRoom = { classic: 1_000, contract: ledgerLimits.transactions }
