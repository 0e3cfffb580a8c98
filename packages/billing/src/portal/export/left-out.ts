import type {
  CheckoutEvent,
  CreditsEvent,
  CustomerEvent,
  CustomerMergesEvent,
  ExceptionEvent,
  PaymentEvent,
  RefundEvent,
  SubscriptionEvent,
} from '@quittance/domain'

type Named = CustomerEvent | CheckoutEvent | PaymentEvent | RefundEvent | SubscriptionEvent
type ReservationType = 'Claimed' | 'TakenOver' | 'Released'

/** In which part of an export a stored event shows; otherwise why it does not. */
export type Place = 'history' | 'credits' | 'exceptions' | { readonly leftOut: string }

const decisions = { leftOut: 'How the merchant and the operator have decided about money that did not fit' }
const lookUps = { leftOut: 'Keyed hashes of email and phone, by which a customer is found: they cannot be read' }
const carried = { leftOut: 'Sums that are carried from one period of the books to the next' }

/** The place of every stored event that names a customer, or something of a customer's. */
export const places: Readonly<
  Record<
    Named['type'] | CustomerMergesEvent['type'] | CreditsEvent['type'] | ExceptionEvent['type'] | ReservationType,
    Place
  >
> = {
  CustomerCreated: 'history',
  CustomerUpdated: 'history',
  WalletLinked: 'history',
  WalletProven: 'history',
  WalletUnlinked: 'history',
  CustomerDeleted: { leftOut: 'Of an erased customer there is no export' },
  EmailForfeited: lookUps,
  Claimed: lookUps,
  TakenOver: lookUps,
  Released: lookUps,
  CustomersMerged: {
    leftOut: 'The merged customers are shown: who decided that they are one, and why, is not the customer’s data',
  },
  CheckoutCreated: 'history',
  QuoteIssued: 'history',
  CustomerAttached: 'history',
  MandateOffered: 'history',
  EnrolmentSeen: 'history',
  EnrolmentRefused: 'history',
  TransactionSubmitted: 'history',
  TransactionDied: 'history',
  PaymentAttemptFailed: 'history',
  CreditAccepted: 'history',
  CreditSetAside: 'history',
  CheckoutSettled: 'history',
  CheckoutCompleted: 'history',
  CheckoutCompletedUnpaid: 'history',
  CheckoutExpired: 'history',
  CheckoutFailed: 'history',
  PaymentOpened: 'history',
  PaymentSubmitted: 'history',
  PaymentCredited: 'history',
  PaymentConfirmed: 'history',
  PaymentFailed: 'history',
  RefundClaimed: 'history',
  RefundReleased: 'history',
  ReturnClaimed: 'history',
  PaymentRefunded: 'history',
  RefundRequested: 'history',
  RefundPostponed: 'history',
  RefundWaitEnded: 'history',
  RefundSucceeded: 'history',
  RefundFailed: 'history',
  SubscriptionStarted: 'history',
  TrialEndAnnounced: 'history',
  RenewalAnnounced: 'history',
  PeriodsForgiven: 'history',
  ChargeAttempted: 'history',
  ChargeHandedOver: 'history',
  ChargeConfirmed: 'history',
  ChargeFailed: 'history',
  ChargeDelayed: 'history',
  PaymentSetAside: 'history',
  AttemptsStopped: 'history',
  AttemptsAllowed: 'history',
  OperatorAlarmed: 'history',
  RetryRequested: 'history',
  FinalNoticeGiven: 'history',
  AccessEnded: 'history',
  BecameOverdue: 'history',
  InvoiceSettled: 'history',
  Paused: 'history',
  ResumeRequested: 'history',
  Resumed: 'history',
  ResumeFailed: 'history',
  CancellationScheduled: 'history',
  CancellationUndone: 'history',
  SubscriptionCanceled: 'history',
  MandateCancellationSent: 'history',
  MandateEnded: 'history',
  MandateGone: 'history',
  AuthorizationRevoked: 'history',
  AuthorizationRequested: 'history',
  AuthorizationOffered: 'history',
  AuthorizationWithdrawn: 'history',
  MandateReplaced: 'history',
  AllowanceSeen: 'history',
  ExpiryAnnounced: 'history',
  ProductSwapped: 'history',
  SwapPending: 'history',
  SwapDropped: 'history',
  PriceChangeAnnounced: 'history',
  PriceChangeAccepted: 'history',
  PriceChanged: 'history',
  PriceChangeRefused: 'history',
  PriceChangeDropped: 'history',
  MetadataChanged: 'history',
  CreditsGranted: 'credits',
  CreditsConsumed: 'credits',
  CreditsReversed: 'credits',
  BooksOpened: carried,
  BooksClosed: carried,
  BooksHandedOver: carried,
  BooksTakenOver: carried,
  ExceptionOpened: 'exceptions',
  ExceptionReturned: 'exceptions',
  ExceptionResolved: 'exceptions',
  ExceptionLeftToPerson: decisions,
  ReturnStarted: decisions,
  ReturnPostponed: decisions,
  ReturnWaitEnded: decisions,
  ReturnFailed: decisions,
  ApplicationStarted: decisions,
  HoldReleased: decisions,
  HoldKept: decisions,
}

/** Fields of events in the history that are left out, and why. */
export const withheld: Readonly<Record<string, string>> = {
  emailHash: lookUps.leftOut,
  phoneHash: lookUps.leftOut,
  retryOffsetMs: 'When within half an hour a charge is tried again: nobody outside may foresee it',
  envelopeXdr: 'The bytes of a transaction that the customer has signed: the ledger shows it',
  platformFee: 'What the merchant owes the operator: the customer pays the same',
  'AttemptsAllowed.by': 'Which person of the operator has decided',
  'AttemptsAllowed.reason': 'What that person has noted',
}

/** What every export names, whether there is any or not, since some of it must not be told apart. */
export const leftOut: ReadonlyArray<{ readonly what: string; readonly reason: string }> = [
  { what: 'events that webhooks have delivered', reason: "They repeat what is here, in the merchant's own systems" },
  {
    what: 'notes of screening',
    reason: 'The law may forbid to tell: ask the operator, who answers as it demands',
  },
  { what: 'decisions about money that did not fit', reason: decisions.leftOut },
  { what: 'keyed hashes', reason: lookUps.leftOut },
  {
    what: 'payments from unknown senders',
    reason: 'Money that names no checkout belongs to nobody known, whatever address it came from',
  },
  {
    what: 'how the service moved money, and its signing records',
    reason: 'They name accounts, amounts and transactions, which the ledger shows, and no person',
  },
  {
    what: 'idempotency keys, portal sessions, wallet challenges, mailed codes and mails that wait',
    reason: 'They hold ids and keyed hashes, and end within days',
  },
  { what: 'backups', reason: 'Copies of what is here' },
]
