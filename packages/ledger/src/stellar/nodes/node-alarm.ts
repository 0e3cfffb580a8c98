import type { Halted } from '../../following.ts'

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

/** What an operator has to hear of at once. */
export type LedgerAlarm = Halted | NodeSetAside
