import type { LedgerSequence, TransactionHash } from '@quittance/domain'
import type { Halted } from '../../ingestion.ts'

/** A node tells something of another network than it was configured for. */
type OtherNetwork = { readonly _tag: 'OtherNetwork'; readonly passphrase: string }

/**
 * A node that is no longer believed, while another one is: it is of another network, or what it tells does not continue
 * the history that we hold. It is asked for ledgers last, and believed again once it continues that history.
 */
export type NodeSetAside = {
  readonly _tag: 'NodeSetAside'
  readonly node: string
  readonly because: OtherNetwork | Halted
}

/**
 * A node says that a closed ledger holds a transaction, and that ledger, read and recomputed, does not hold it, or not with
 * this end. The node's word counts for nothing here.
 */
export type LookUpContradicted = {
  readonly _tag: 'LookUpContradicted'
  readonly node: string
  readonly transactionHash: TransactionHash
  readonly said: 'Succeeded' | 'Failed'
  readonly ledger: LedgerSequence
}

/** What is wrong with a single node. */
export type NodeAlarm = NodeSetAside | LookUpContradicted

/** What an operator has to hear of at once. */
export type LedgerAlarm = Halted | NodeAlarm
