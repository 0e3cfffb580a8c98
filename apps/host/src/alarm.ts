import type { LogStanding, SetbackNotification, SettlementTrouble, Violation } from '@quittance/billing'
import type { LedgerAlarm } from '@quittance/ledger'
import type { OperatorLog } from './operator-log.ts'

/** A message that an operator must act on. */
export type Alarm =
  | LedgerAlarm
  | SettlementTrouble
  | SetbackNotification
  | ({ readonly _tag: 'InvariantViolated' } & Violation)
  | LogStanding

/** Writes an alarm to the log as an error, and its end as a warning. */
export const logAlarm = (log: OperatorLog, alarm: Alarm): void => {
  const text = alarmText(alarm)
  if (alarm._tag === 'MerchantSetBackOver' || alarm._tag === 'Sound') log.warn({ alarm }, text)
  else log.error({ alarm }, text)
}

/** The text beside an alarm in the log. */
export const alarmText = (alarm: Alarm): string => {
  switch (alarm._tag) {
    case 'NodeSetAside':
      return 'ALARM: a node of the ledger is no longer trusted'
    case 'LookUpContradicted':
      return 'ALARM: a node of the ledger reports an outcome that its ledger does not hold'
    case 'RangePruned':
    case 'LedgerUnreadable':
    case 'LedgerGap':
    case 'ChainBroken':
    case 'LedgerWentBack':
    case 'NodesDisagree':
      return 'ALARM: the ledger cannot be ingested any further'
    case 'FeeSourceCannotPay':
      return 'ALARM: an account cannot pay the fees of outgoing money'
    case 'FeeCapReached':
      return 'ALARM: fees are higher than the cap for outgoing money'
    case 'CannotSign':
      return 'ALARM: outgoing money lacks a signature'
    case 'SubscriptionStuck':
      return 'ALARM: a charge of a subscription has had no outcome for a day'
    case 'AttemptsStopped':
      return 'ALARM: charges of a subscription fail too often in a day and are stopped'
    case 'CannotCharge':
      return 'ALARM: subscriptions cannot be charged'
    case 'SubmissionRefused':
      return 'ALARM: the network refuses one of our transactions'
    case 'OutcomeContradicted':
      return 'ALARM: two outcomes of one of our transactions conflict'
    case 'ExceptionWaits':
      return 'ALARM: an exception has waited for a decision for days'
    case 'SetUpStuck':
      return 'ALARM: an account cannot be set up on the ledger'
    case 'InvariantViolated':
      return 'ALARM: an invariant is violated'
    case 'MerchantSetBack':
      return 'ALARM: work for a merchant keeps failing; other merchants are served'
    case 'MerchantSetBackOver':
      return 'over: failed work for a merchant has succeeded'
    case 'RolledBack':
      return 'ALARM: the event log went back: nothing is sent until a person runs `quittance restore accept`'
    case 'Sound':
      return 'over: the event log is accepted'
    case 'OutcomeUnprovable':
      return 'ALARM: the outcome of one of our transactions can no longer be proven'
  }
}
