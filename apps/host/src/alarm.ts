import type { SetbackNotification, SettlementTrouble, Violation } from '@quittance/billing'
import type { LedgerAlarm } from '@quittance/ledger'
import type { OperatorLog } from './operator-log.ts'

/** A message that an operator must act on. */
export type Alarm =
  | LedgerAlarm
  | SettlementTrouble
  | SetbackNotification
  | ({ readonly _tag: 'InvariantViolated' } & Violation)

/** Writes an alarm to the log as an error, and its end as a warning. */
export const logAlarm = (log: OperatorLog, alarm: Alarm): void => {
  const text = alarmText(alarm)
  if (alarm._tag === 'MerchantSetBackOver') log.warn({ alarm }, text)
  else log.error({ alarm }, text)
}

/** The text beside an alarm in the log. */
export const alarmText = (alarm: Alarm): string => {
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
    case 'FeeSourceCannotPay':
      return 'ALARM: an account cannot pay the fees of money that goes out'
    case 'FeeCapReached':
      return 'ALARM: fees are higher than may be paid for money that goes out'
    case 'CannotSign':
      return 'ALARM: money cannot go out, for want of a signature'
    case 'SubscriptionStuck':
      return 'ALARM: a charge of a subscription has had no end for a day'
    case 'AttemptsStopped':
      return 'ALARM: charges of a subscription fail too often in a day, and are stopped'
    case 'CannotCharge':
      return 'ALARM: subscriptions cannot be charged'
    case 'SubmissionRefused':
      return 'ALARM: the network refuses a transaction of ours'
    case 'OutcomeContradicted':
      return 'ALARM: what became of a transaction of ours is told in two ways'
    case 'ExceptionWaits':
      return 'ALARM: money that does not fit has waited for a decision for days'
    case 'SetUpStuck':
      return 'ALARM: an account cannot be set up on the ledger'
    case 'InvariantViolated':
      return 'ALARM: what must never be otherwise is'
    case 'MerchantSetBack':
      return 'ALARM: work for a merchant fails again and again; other merchants are served'
    case 'MerchantSetBackOver':
      return 'over: work for a merchant that failed goes on'
    case 'OutcomeUnprovable':
      return 'ALARM: nobody can prove any more what became of a transaction of ours'
  }
}
