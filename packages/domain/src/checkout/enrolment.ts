import * as t from 'io-ts'
import { RecurringPeriod } from '../product/index.ts'
import { AccountSequence } from '../shared/account-sequence.ts'
import { AccountId, AssetId, ContractId } from '../shared/asset.ts'
import { SubscriptionId } from '../shared/ids.ts'
import { LedgerSequence, TransactionHash } from '../shared/incoming-payment.ts'
import { MandateId } from '../shared/mandate-id.ts'
import { strict } from '../shared/strict.ts'
import { Stroops } from '../shared/stroops.ts'
import { Text } from '../shared/text.ts'
import { Count, PositiveCount, UnixMs } from '../shared/units.ts'

/** How often a subscription that is sold is paid for, and after how many days of trial for the first time; 0 for none. */
export const SubscriptionPlan = strict(
  { interval: RecurringPeriod, intervalCount: PositiveCount, trialDays: Count },
  'SubscriptionPlan',
)
export type SubscriptionPlan = t.TypeOf<typeof SubscriptionPlan>

/** What a mandate allows. Moments are whole seconds × 1000; `cap` is for one interval; `firstAmount` is charged at once. */
const terms = {
  mandateId: MandateId,
  contract: ContractId,
  customer: AccountId,
  payee: AccountId,
  operator: AccountId,
  token: ContractId,
  cap: Stroops,
  interval: RecurringPeriod,
  intervalCount: PositiveCount,
  firstChargeAt: UnixMs,
  firstAmount: Stroops,
}

/**
 * A mandate as it was put before a wallet for its signature: its reference is the checkout's, it has no end of its own,
 * and it was priced by the quote of that ordinal. `trialDays` are those that this wallet is given; with them nothing is
 * charged at once. `allowance` and `allowanceExpiryLedger` are of the approval inside. `envelopeXdr` is the unsigned
 * transaction of that hash, which takes the wallet's `accountSequence` and is dead after `maxTime`.
 */
export const MandateOffer = strict(
  {
    ...terms,
    assetId: AssetId,
    trialDays: Count,
    quote: PositiveCount,
    allowance: Stroops,
    allowanceExpiryLedger: LedgerSequence,
    transactionHash: TransactionHash,
    accountSequence: AccountSequence,
    maxTime: UnixMs,
    envelopeXdr: Text,
  },
  'MandateOffer',
)
export type MandateOffer = t.TypeOf<typeof MandateOffer>

/**
 * A mandate that a closed ledger shows with the checkout's reference. Its signer may have written anything
 * into it: amounts up to 2^127, contracts as parties, an end.
 */
export type SeenMandate = {
  readonly mandateId: MandateId
  readonly contract: ContractId
  readonly customer: string
  readonly payee: string
  readonly operator: string
  readonly token: ContractId
  readonly cap: bigint
  readonly interval: RecurringPeriod
  readonly intervalCount: number
  readonly firstChargeAt: UnixMs
  readonly endsAt: UnixMs | null
  readonly firstAmount: bigint
  readonly allowance: bigint
  readonly allowanceExpiryLedger: number
  readonly transactionHash: TransactionHash
  readonly ledger: LedgerSequence
  readonly closedAt: UnixMs
}

/** Whether it is what was offered, but for an allowance above the one asked, or a longer one. The id covers the reference. */
export const isAsOffered = (offer: MandateOffer, seen: SeenMandate): boolean =>
  offer.mandateId === seen.mandateId &&
  offer.contract === seen.contract &&
  offer.customer === seen.customer &&
  offer.payee === seen.payee &&
  offer.operator === seen.operator &&
  offer.token === seen.token &&
  offer.cap === seen.cap &&
  offer.interval === seen.interval &&
  offer.intervalCount === seen.intervalCount &&
  offer.firstChargeAt === seen.firstChargeAt &&
  offer.firstAmount === seen.firstAmount &&
  seen.endsAt === null &&
  seen.allowance >= offer.allowance &&
  seen.allowanceExpiryLedger >= offer.allowanceExpiryLedger

const inLedger = { mandateId: MandateId, contract: ContractId, ledger: LedgerSequence, closedAt: UnixMs }

/** The mandate that counts: it equals the offer whose transaction had the hash `offered`. */
export const Enrolment = strict(
  {
    ...inLedger,
    transactionHash: TransactionHash,
    offered: TransactionHash,
    wallet: AccountId,
    trialDays: Count,
    subscriptionId: SubscriptionId,
  },
  'Enrolment',
)
export type Enrolment = t.TypeOf<typeof Enrolment>

/**
 * Why a mandate does not count: it equals none that was offered; another counts already; the session was over; its wallet
 * or customer has had the product's trial by now; the customer has a subscription of the product already, and it allows only
 * one; the first amount did not arrive; no quote was valid any more when its
 * ledger closed, or it was offered at a lower price than the lowest that was.
 */
export const EnrolmentRefusal = t.keyof(
  {
    not_offered: null,
    already_enrolled: null,
    already_subscribed: null,
    session_over: null,
    trial_taken: null,
    unpaid: null,
    stale_price: null,
  },
  'EnrolmentRefusal',
)
export type EnrolmentRefusal = t.TypeOf<typeof EnrolmentRefusal>

export const RefusedEnrolment = strict(
  { ...inLedger, transactionHash: TransactionHash, reason: EnrolmentRefusal },
  'RefusedEnrolment',
)
export type RefusedEnrolment = t.TypeOf<typeof RefusedEnrolment>
