import type { Halted } from '@quittance/ledger'

/** Why a ledger is not followed any further, and at which one. Which nodes are concerned is for the log alone. */
export type HaltedLedger = { readonly reason: Halted['_tag']; readonly ledger: number }

export const haltedLedger = (halted: Halted): HaltedLedger => ({ reason: halted._tag, ledger: placeOf(halted) })

const placeOf = (halted: Halted): number => {
  switch (halted._tag) {
    case 'RangePruned':
      return halted.from
    case 'LedgerGap':
      return halted.expected
    case 'LedgerWentBack':
      return halted.cursor.sequence
    case 'LedgerUnreadable':
    case 'ChainBroken':
    case 'NodesDisagree':
      return halted.sequence
  }
}
