import type { LedgerAlarm } from '@quittance/ledger'

/** What an alarm is about, for who reads the log; the alarm itself stands beside it. */
export const alarmText = (alarm: LedgerAlarm): string =>
  alarm._tag === 'NodeSetAside'
    ? 'ALARM: a node of the ledger is no longer believed'
    : 'ALARM: the ledger cannot be followed any further'
