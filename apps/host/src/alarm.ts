import type {
  LogStanding,
  SetbackNotification,
  SettlementTrouble,
  TransparencyTrouble,
  Violation,
} from '@quittance/billing'
import type { Environment, FreezeDecision } from '@quittance/domain'
import type { LedgerAlarm } from '@quittance/ledger'
import type { KeysReadiness } from './keys-readiness.ts'
import type { OperatorLog } from './operator-log.ts'

/** A message that an operator must act on. */
export type Alarm =
  | LedgerAlarm
  | SettlementTrouble
  | SetbackNotification
  | ({ readonly _tag: 'InvariantViolated' } & Violation)
  | LogStanding
  | TransparencyTrouble
  | ({ readonly _tag: 'KeysLacking' } & KeysReadiness)
  | ({ readonly _tag: 'Frozen' | 'FreezeOver' } & FreezeDecision)

/** `environment`: null where an alarm concerns all, or names its own. */
export type RaiseAlarm = (alarm: Alarm, environment: Environment | null) => void

/** Whether an alarm says that an earlier one is over. */
export const isOver = ({ _tag }: Alarm): boolean =>
  _tag === 'MerchantSetBackOver' || _tag === 'Sound' || _tag === 'FreezeOver'

/** Writes an alarm to the log as an error; its end, and what an operator has decided, as a warning. */
export const logAlarm = (log: OperatorLog, alarm: Alarm): void => {
  const text = alarmText(alarm)
  if (isOver(alarm) || alarm._tag === 'Frozen') log.warn({ alarm }, text)
  else log.error({ alarm }, text)
}

/** What each alarm means. */
export const alarmMeanings: Readonly<Record<Alarm['_tag'], string>> = {
  NodeSetAside: 'a node of the ledger is no longer trusted',
  LookUpContradicted: 'a node of the ledger reports an outcome that its ledger does not hold',
  RangePruned: 'the ledger cannot be ingested any further',
  LedgerUnreadable: 'the ledger cannot be ingested any further',
  LedgerGap: 'the ledger cannot be ingested any further',
  ChainBroken: 'the ledger cannot be ingested any further',
  LedgerWentBack: 'the ledger cannot be ingested any further',
  NodesDisagree: 'the ledger cannot be ingested any further',
  FeeSourceCannotPay: 'an account cannot pay the fees of outgoing money',
  FeeCapReached: 'fees are higher than the cap for outgoing money',
  CannotSign: 'outgoing money lacks a signature',
  ScreeningUnavailable: 'outgoing money waits, since the screening does not answer',
  SubscriptionStuck: 'a charge of a subscription has had no outcome for a day',
  AttemptsStopped: 'charges of a subscription fail too often in a day and are stopped',
  CannotCharge: 'subscriptions cannot be charged',
  CannotKeepContract: 'the rent of a mandate contract cannot be paid',
  CannotAnchor: 'checkpoints of the log cannot be put on the ledger',
  ContractEnding: 'a mandate contract is archived unless its rent is paid',
  ProtocolUnknown: 'the network runs a protocol that this release does not know: install one that does',
  ProtocolComing: 'the network moves to a protocol that this release does not know: install one that does before that',
  LedgersUnread: 'ledgers that could not be ingested are dropped by the nodes with time',
  PassedOverDiffers: 'after ledgers that could not be read, balances differ from the books: `quittance ledger compare`',
  NetworkReset: 'the testnet was reset: nothing is sent until a person runs `quittance environment reset testnet`',
  LedgerReplaced: 'nodes of the mainnet show other ledgers than were ingested: nothing is sent; check the nodes',
  SubmissionRefused: 'the network refuses one of our transactions',
  OutcomeContradicted: 'two outcomes of one of our transactions conflict',
  ExceptionWaits: 'an exception has waited for a decision for days',
  SetUpStuck: 'an account cannot be set up on the ledger',
  InvariantViolated: 'an invariant is violated',
  MerchantSetBack: 'work for a merchant keeps failing; other merchants are served',
  MerchantSetBackOver: 'failed work for a merchant has succeeded',
  RolledBack: 'the event log went back: nothing is sent until a person runs `quittance restore accept`',
  Sound: 'the event log is accepted',
  CheckpointRefused: 'no checkpoint of the event log is signed: run `quittance verify`',
  WitnessRefused: 'a witness does not cosign the event log',
  OutcomeUnprovable: 'the outcome of one of our transactions can no longer be proven',
  KeysLacking: 'the vault is older than the log and lacks keys: put the newer one in place',
  Frozen: 'sales, charges or payouts are frozen by an operator',
  FreezeOver: 'sales, charges or payouts are no longer frozen',
}

/** The text beside an alarm in the log. */
export const alarmText = (alarm: Alarm): string => `${isOver(alarm) ? 'over' : 'ALARM'}: ${alarmMeanings[alarm._tag]}`
