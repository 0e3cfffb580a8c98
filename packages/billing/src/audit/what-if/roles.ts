import type { SubscriptionCommand } from '@quittance/domain'

/**
 * Where a command comes from: the `clock`, since it was due; the `outcome` of a charge; or `outside`: what people, the ledger
 * and the operator have done.
 */
export type Role = 'clock' | 'outcome' | 'outside'

const roles: Readonly<Record<Exclude<SubscriptionCommand['type'], 'RequestRetry'>, Role>> = {
  StartSubscription: 'outside',
  AnnounceTrialEnd: 'clock',
  AnnounceRenewal: 'clock',
  AttemptCharge: 'clock',
  RecoverAttempt: 'outcome',
  HandOverCharge: 'clock',
  ConfirmCharge: 'outcome',
  FailCharge: 'outcome',
  DelayCharge: 'clock',
  EndUnsettled: 'clock',
  AllowAttempts: 'outside',
  AlarmOperator: 'clock',
  EndAccess: 'clock',
  GiveFinalNotice: 'clock',
  BecomeOverdue: 'clock',
  SettleInvoice: 'outside',
  CancelUnpaid: 'clock',
  Pause: 'outside',
  Resume: 'outside',
  Cancel: 'outside',
  CancelForDeletedCustomer: 'outside',
  EndWithNetwork: 'outside',
  UndoCancellation: 'outside',
  EndAtBoundary: 'clock',
  RecordMandateCancellation: 'clock',
  RecordMandateEnd: 'outside',
  RequestAuthorization: 'clock',
  ChangeWallet: 'outside',
  RequestMigration: 'outside',
  OfferAuthorization: 'outside',
  WithdrawMigration: 'outside',
  ReplaceMandate: 'outside',
  RecordAllowance: 'outside',
  AnnounceExpiry: 'clock',
  SwapProduct: 'outside',
  AnnouncePriceChange: 'outside',
  ApplyPriceChange: 'clock',
  DropPriceChange: 'outside',
  ChangeMetadata: 'outside',
}

/** A cause is found cured by a look that was due; every other retry is asked for. */
export const roleOf = (command: SubscriptionCommand): Role => {
  if (command.type !== 'RequestRetry') return roles[command.type]
  return command.cause === 'cured' ? 'clock' : 'outside'
}
