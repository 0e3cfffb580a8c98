import type { LedgerSequence } from '@quittance/domain'
import type { Halted } from './ingestion.ts'

/** The ledger that a halt is about: the one that cannot be handled, or after a reset the last one that was. */
export const haltedAt = (halted: Halted): LedgerSequence => {
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
