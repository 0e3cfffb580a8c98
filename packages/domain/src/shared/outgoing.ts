import type * as t from 'io-ts'
import { LedgerSequence, TransactionHash } from './incoming-payment.ts'
import { strict } from './strict.ts'
import { UnixMs } from './units.ts'

/** The closed ledger that holds a payment that was sent; `closedAt` is its close time. */
export const OutgoingSettlement = strict(
  { transactionHash: TransactionHash, ledger: LedgerSequence, closedAt: UnixMs },
  'OutgoingSettlement',
)
export type OutgoingSettlement = t.TypeOf<typeof OutgoingSettlement>

/** Why nothing was paid: the ledger refused it, something kept it from being sent, or its network was reset. */
export const outgoingFailures = {
  destination_not_found: null,
  destination_no_trustline: null,
  destination_not_authorized: null,
  destination_full: null,
  insufficient_funds: null,
  refused_by_ledger: null,
  not_sent: null,
  network_reset: null,
}
