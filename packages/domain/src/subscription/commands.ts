import type { Rate } from '../checkout/index.ts'
import type { Policy } from '../merchant/index.ts'
import type { AssetId, ContractId } from '../shared/asset.ts'
import type { AuthorizationId, InvoiceId, PaymentId, PriceChangeId, ProductId, Reference } from '../shared/ids.ts'
import type { LedgerSequence, TransactionHash } from '../shared/incoming-payment.ts'
import type { MandateId } from '../shared/mandate-id.ts'
import type { PlatformFee } from '../shared/platform-fee.ts'
import type { Stroops } from '../shared/stroops.ts'
import type { Text } from '../shared/text.ts'
import type { Count, UnixMs } from '../shared/units.ts'
import type { AlarmCause, ChargeReason, DelayCause, FailureCause, RetryCause, UnsettledCause } from './causes.ts'
import type { AgreedRate, PriceChangeNotice, SubscriptionDetails } from './events.ts'
import type { Approval, Cycle, FiatPrice, Mandate, SubscriptionTerms } from './terms.ts'

type InLedger = {
  readonly transactionHash: TransactionHash
  readonly ledger: LedgerSequence
  readonly closedAt: UnixMs
}

/** `startedAt` is the close time of the ledger that holds the mandate. With a trial there is no first payment. */
export type StartSubscription = { readonly type: 'StartSubscription' } & SubscriptionDetails

/** The names of a request for an authorization: for the customer, and on the ledger. */
export type RequestNames = { readonly authorizationId: AuthorizationId; readonly reference?: Reference }

/**
 * A notice of what is to come. `problem`: what a simulation of the charge found wrong. The request's names are used if the
 * customer has to cure it.
 */
type Announcement = RequestNames & {
  readonly at: UnixMs
  readonly problem: FailureCause | null
}
export type AnnounceTrialEnd = { readonly type: 'AnnounceTrialEnd' } & Announcement
export type AnnounceRenewal = { readonly type: 'AnnounceRenewal'; readonly n: Count } & Announcement

/**
 * Attempts the charge that `nextStep` asked for. Periods that ended unpaid before it are forgiven in the same decision.
 * `amount` is the `price` by these rates: of another price than counts by now, it is nothing to charge. By `agreedRates`
 * only where no attempt could settle the charge for a week.
 */
export type AttemptCharge = {
  readonly type: 'AttemptCharge'
  readonly at: UnixMs
  readonly n: Count
  readonly k: Count
  readonly periodStart: UnixMs
  readonly why: ChargeReason
  readonly paymentId: PaymentId
  readonly price: FiatPrice
  readonly amount: Stroops
  readonly rates: ReadonlyArray<Rate>
  readonly agreedRates?: ReadonlyArray<AgreedRate>
  readonly platformFee?: PlatformFee
}

/**
 * An attempt that the log had lost, as a closed ledger holds it: attempt `k` for period `n`, which began at `periodStart`.
 * `amount` is what it took.
 */
export type RecoverAttempt = {
  readonly type: 'RecoverAttempt'
  readonly at: UnixMs
  readonly n: Count
  readonly k: Count
  readonly periodStart: UnixMs
  readonly paymentId: PaymentId
  readonly mandateId: MandateId
  readonly amount: Stroops
  readonly platformFee?: PlatformFee
}

/** The payment is open and the intent recorded. */
export type HandOverCharge = { readonly type: 'HandOverCharge'; readonly paymentId: PaymentId; readonly at: UnixMs }

/** A closed ledger holds the charge. */
export type ConfirmCharge = { readonly type: 'ConfirmCharge'; readonly paymentId: PaymentId } & InLedger

/** Where in its tolerance the next try falls, in [0, 1): secret, and the same for whoever computes it again. */
type Jitter = { readonly jitter: number }

/** Only on proof that the attempt will bring nothing. `at` is the close time that proves it, or of the simulation. */
export type FailCharge = Jitter & {
  readonly type: 'FailCharge'
  readonly paymentId: PaymentId
  readonly cause: FailureCause
  readonly code: Text | null
  readonly includedIn: LedgerSequence | null
  readonly at: UnixMs
  readonly policy: Policy
}

/** The attempt that `nextStep` asked for, or the look at a hard cause, could not be made or found nothing new. */
export type DelayCharge = Jitter & {
  readonly type: 'DelayCharge'
  readonly at: UnixMs
  readonly n: Count
  readonly cause: DelayCause
}

/**
 * The charge that no attempt could settle for a week is invoiced, or the subscription pauses, by the merchant's policy. One
 * that cannot be made at the last agreed rates either is invoiced.
 */
export type EndUnsettled = {
  readonly type: 'EndUnsettled'
  readonly at: UnixMs
  readonly n: Count
  readonly cause: UnsettledCause
  readonly invoiceId: InvoiceId
  readonly policy: Policy
}

/** An operator has found out why attempts were stopped: `by` is the name that they gave, `reason` what they found. */
export type AllowAttempts = {
  readonly type: 'AllowAttempts'
  readonly at: UnixMs
  readonly by: Text
  readonly reason: Text
}
export type AlarmOperator = { readonly type: 'AlarmOperator'; readonly cause: AlarmCause; readonly at: UnixMs }

/** The wallet can pay, the cause is cured, or the retry is requested. */
export type RequestRetry = { readonly type: 'RequestRetry'; readonly cause: RetryCause; readonly at: UnixMs }

/** Time alone has ended the access. */
export type EndAccess = { readonly type: 'EndAccess'; readonly at: UnixMs }

export type GiveFinalNotice = { readonly type: 'GiveFinalNotice'; readonly at: UnixMs }
export type BecomeOverdue = { readonly type: 'BecomeOverdue'; readonly invoiceId: InvoiceId; readonly at: UnixMs }
export type SettleInvoice = {
  readonly type: 'SettleInvoice'
  readonly invoiceId: InvoiceId
  readonly paymentId: PaymentId
  readonly amount: Stroops
} & InLedger
/** Unpaid for as long as the invoice allows, or after the last retry where the merchant's policy says so. */
export type CancelUnpaid = { readonly type: 'CancelUnpaid'; readonly at: UnixMs; readonly policy: Policy }

export type Pause = { readonly type: 'Pause'; readonly at: UnixMs }
export type Resume = { readonly type: 'Resume'; readonly at: UnixMs }

export type Cancel = { readonly type: 'Cancel'; readonly when: 'period_end' | 'now'; readonly at: UnixMs }
/** The network was reset: its mandates are gone. */
export type EndWithNetwork = { readonly type: 'EndWithNetwork'; readonly at: UnixMs }

export type CancelForDeletedCustomer = { readonly type: 'CancelForDeletedCustomer'; readonly at: UnixMs }
export type UndoCancellation = { readonly type: 'UndoCancellation'; readonly at: UnixMs }
/** The boundary of a scheduled cancellation is reached. */
export type EndAtBoundary = { readonly type: 'EndAtBoundary'; readonly at: UnixMs }

export type RecordMandateCancellation = {
  readonly type: 'RecordMandateCancellation'
  readonly mandateId: MandateId
  readonly at: UnixMs
}
/** The contract says that a mandate has ended. By the customer, of the mandate that counts, it is a cancellation. */
export type RecordMandateEnd = {
  readonly type: 'RecordMandateEnd'
  readonly mandateId: MandateId
  readonly by: 'customer' | 'operator'
} & InLedger
export type RequestAuthorization = RequestNames & {
  readonly type: 'RequestAuthorization'
  readonly at: UnixMs
}
/** Asks for a mandate of whatever wallet the customer wants to be charged from now on. */
export type ChangeWallet = RequestNames & { readonly type: 'ChangeWallet'; readonly at: UnixMs }
/** Asks for a mandate in place of one whose contract or operator account is a former one. */
export type RequestMigration = RequestNames & {
  readonly type: 'RequestMigration'
  readonly mandateId: MandateId
  readonly at: UnixMs
}
/** A transaction that makes the requested mandate in this contract is about to be handed out. */
export type OfferAuthorization = {
  readonly type: 'OfferAuthorization'
  readonly authorizationId: AuthorizationId
  readonly contract: ContractId
  readonly at: UnixMs
}
/** The migration is over: what it asked for is not asked for any more. */
export type WithdrawMigration = { readonly type: 'WithdrawMigration'; readonly at: UnixMs }
/**
 * The mandate that was asked for is on the ledger. `assetId`: of its token, where that is not the asset so far. `accepts`: the
 * price change that it allows.
 */
export type ReplaceMandate = {
  readonly type: 'ReplaceMandate'
  readonly authorizationId: AuthorizationId
  readonly mandate: Mandate
  readonly assetId?: AssetId
  readonly accepts?: PriceChangeId
} & InLedger
/** The ledger shows another approval for the mandate that counts. */
export type RecordAllowance = {
  readonly type: 'RecordAllowance'
  readonly mandateId: MandateId
  readonly approval: Approval
}
export type AnnounceExpiry = { readonly type: 'AnnounceExpiry'; readonly at: UnixMs }

/**
 * Another product. `quote` is its price in the asset now. The request's names are used if the mandate does not allow it.
 */
export type SwapProduct = RequestNames & {
  readonly type: 'SwapProduct'
  readonly terms: SubscriptionTerms
  readonly assetId: AssetId
  readonly quote: Stroops
  readonly at: UnixMs
}
/**
 * Tells of a price change that concerns whoever had subscribed to the product by then, with periods of that length. `quote` is
 * the new price in its asset now. The request's names are used if the mandate does not allow it.
 */
export type AnnouncePriceChange = RequestNames & {
  readonly type: 'AnnouncePriceChange'
  readonly productId: ProductId
  readonly interval: Cycle['interval']
  readonly quote: Stroops
  readonly at: UnixMs
} & Omit<PriceChangeNotice, 'needsConsent'>
/** The new price counts for the charge that is due. `quote` is that price in its asset now; null where it has no rate. */
export type ApplyPriceChange = {
  readonly type: 'ApplyPriceChange'
  readonly priceChangeId: PriceChangeId
  readonly quote: Stroops | null
  readonly at: UnixMs
}
/** The merchant has canceled the price change. */
export type DropPriceChange = {
  readonly type: 'DropPriceChange'
  readonly priceChangeId: PriceChangeId
  readonly at: UnixMs
}
/** Lays a patch over the metadata; `null` removes a key. */
export type ChangeMetadata = { readonly type: 'ChangeMetadata'; readonly metadata: unknown }

/** What may be asked of a subscription. */
export type SubscriptionCommand =
  | StartSubscription
  | AnnounceTrialEnd
  | AnnounceRenewal
  | AttemptCharge
  | RecoverAttempt
  | HandOverCharge
  | ConfirmCharge
  | FailCharge
  | DelayCharge
  | EndUnsettled
  | AllowAttempts
  | AlarmOperator
  | RequestRetry
  | EndAccess
  | GiveFinalNotice
  | BecomeOverdue
  | SettleInvoice
  | CancelUnpaid
  | Pause
  | Resume
  | Cancel
  | CancelForDeletedCustomer
  | EndWithNetwork
  | UndoCancellation
  | EndAtBoundary
  | RecordMandateCancellation
  | RecordMandateEnd
  | RequestAuthorization
  | ChangeWallet
  | RequestMigration
  | OfferAuthorization
  | WithdrawMigration
  | ReplaceMandate
  | RecordAllowance
  | AnnounceExpiry
  | SwapProduct
  | AnnouncePriceChange
  | ApplyPriceChange
  | DropPriceChange
  | ChangeMetadata
