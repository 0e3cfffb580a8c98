import type { LedgerSequence, TransactionHash } from '@quittance/domain'
import type { Halted } from '../../ingestion.ts'

/** A node belongs to another network than it was configured for. */
type OtherNetwork = { readonly _tag: 'OtherNetwork'; readonly passphrase: string }

/**
 * A node that is no longer believed, while another one is: it belongs to another network, or its ledgers do not
 * continue the history that we hold. It is asked for ledgers last, and believed again once it continues that history.
 */
export type NodeSetAside = {
  readonly _tag: 'NodeSetAside'
  readonly node: string
  readonly because: OtherNetwork | Halted
}

/**
 * A node says that a closed ledger holds a transaction, but that ledger, read and recomputed, does not hold it, or
 * holds another outcome.
 */
export type LookUpContradicted = {
  readonly _tag: 'LookUpContradicted'
  readonly node: string
  readonly transactionHash: TransactionHash
  readonly said: 'Succeeded' | 'Failed'
  readonly ledger: LedgerSequence
}

/** A fault of a single node. */
export type NodeAlarm = NodeSetAside | LookUpContradicted

/** Alarms for operators. */
export type LedgerAlarm = Halted | NodeAlarm
