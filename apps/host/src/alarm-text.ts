import type { LedgerAlarm } from '@quittance/ledger'

/** What an alarm is about, for who reads the log; the alarm itself stands beside it. */
export const alarmText = (alarm: LedgerAlarm): string => {
  switch (alarm._tag) {
    case 'NodeSetAside':
      return 'ALARM: a node of the ledger is no longer believed'
    case 'LookUpContradicted':
      return 'ALARM: a node of the ledger tells of a transaction what its ledger does not hold'
    case 'RangePruned':
    case 'LedgerUnreadable':
    case 'LedgerGap':
    case 'ChainBroken':
    case 'LedgerWentBack':
    case 'NodesDisagree':
      return 'ALARM: the ledger cannot be followed any further'
  }
}
