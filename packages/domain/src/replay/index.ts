/**
 * Judges a stream by its decider: whether commands could have recorded each of its events where it is. And which those are, for
 * subscriptions.
 *
 * @module @quittance/domain/replay
 */

import { OutflowApproval } from '../approval/index.ts'
import { Channel } from '../channel/index.ts'
import { Checkout } from '../checkout/index.ts'
import { Credits } from '../credits/index.ts'
import { Customer } from '../customer/index.ts'
import { CustomerMerges } from '../customer-merges/index.ts'
import { Exception } from '../exception/index.ts'
import { Freezes } from '../freeze/index.ts'
import { Funding } from '../funding/index.ts'
import { Intent } from '../intent/index.ts'
import { InvoiceSession } from '../invoice/index.ts'
import { LedgerIngestion } from '../ledger-ingestion/index.ts'
import { LedgerTransaction } from '../ledger-transaction/index.ts'
import { Limits } from '../limits/index.ts'
import { LogHistory } from '../log-history/index.ts'
import { LogTransparency } from '../log-transparency/index.ts'
import { Merchant } from '../merchant/index.ts'
import { Migrations } from '../migration/index.ts'
import { Payment } from '../payment/index.ts'
import { Payout } from '../payout/index.ts'
import { PayoutBook } from '../payout-book/index.ts'
import { PayoutDestination } from '../payout-destination/index.ts'
import { PriceChange } from '../price-change/index.ts'
import { Product } from '../product/index.ts'
import { Refund } from '../refund/index.ts'
import { Reservation } from '../reservation/index.ts'
import { Holds } from '../screening/index.ts'
import { Subscription } from '../subscription/index.ts'
import { Team } from '../team/index.ts'
import { Webhook } from '../webhook/index.ts'
import { behindApproval } from './approvals.ts'
import { behindChannel } from './channels.ts'
import { behindCheckout } from './checkouts.ts'
import { behindCredits } from './credits.ts'
import { behindCustomer, behindCustomerMerges } from './customers.ts'
import { behindException } from './exceptions.ts'
import { behindIntent } from './intents.ts'
import { judging, type StreamJudge } from './judge.ts'
import { behindLedgerIngestion, behindLedgerTransaction } from './ledger.ts'
import { behindLimits } from './limits.ts'
import { behindMerchant } from './merchants.ts'
import { behindPayment, behindRefund } from './payments.ts'
import { behindPayout, behindPayoutBook, behindPayoutDestination } from './payouts.ts'
import {
  behindFreeze,
  behindFunding,
  behindLogHistory,
  behindLogTransparency,
  behindMigration,
  behindReservation,
  behindScreening,
} from './platform.ts'
import { behindPriceChange, behindProduct } from './products.ts'
import { behindSubscription } from './subscriptions.ts'
import { behindTeam } from './teams.ts'
import { behindWebhook } from './webhooks.ts'

const judges: ReadonlyMap<string, () => StreamJudge> = new Map([
  [OutflowApproval.category, judging(OutflowApproval, behindApproval)],
  [Channel.category, judging(Channel, behindChannel)],
  [Checkout.category, judging(Checkout, behindCheckout)],
  [Credits.category, judging(Credits, behindCredits)],
  [Customer.category, judging(Customer, behindCustomer)],
  [CustomerMerges.category, judging(CustomerMerges, behindCustomerMerges)],
  [Exception.category, judging(Exception, behindException)],
  [Freezes.category, judging(Freezes, behindFreeze)],
  [Funding.category, judging(Funding, behindFunding)],
  [Holds.category, judging(Holds, behindScreening)],
  [Intent.category, judging(Intent, behindIntent)],
  [InvoiceSession.category, judging(InvoiceSession, behindCheckout)],
  [LedgerIngestion.category, judging(LedgerIngestion, behindLedgerIngestion)],
  [LedgerTransaction.category, judging(LedgerTransaction, behindLedgerTransaction)],
  [Limits.category, judging(Limits, behindLimits)],
  [LogHistory.category, judging(LogHistory, behindLogHistory)],
  [LogTransparency.category, judging(LogTransparency, behindLogTransparency)],
  [Merchant.category, judging(Merchant, behindMerchant)],
  [Migrations.category, judging(Migrations, behindMigration)],
  [Payment.category, judging(Payment, behindPayment)],
  [Payout.category, judging(Payout, behindPayout)],
  [PayoutBook.category, judging(PayoutBook, behindPayoutBook)],
  [PayoutDestination.category, judging(PayoutDestination, behindPayoutDestination)],
  [PriceChange.category, judging(PriceChange, behindPriceChange)],
  [Product.category, judging(Product, behindProduct)],
  [Refund.category, judging(Refund, behindRefund)],
  [Reservation.category, judging(Reservation, behindReservation)],
  [Subscription.category, judging(Subscription, behindSubscription)],
  [Team.category, judging(Team, behindTeam)],
  [Webhook.category, judging(Webhook, behindWebhook)],
])

/** A judge of a new stream with this name; null for one that is none of ours. */
export const judgeOf = (stream: string): StreamJudge | null =>
  judges.get(stream.slice(0, stream.indexOf('-')))?.() ?? null

export type { StreamJudge } from './judge.ts'
export { behindSubscription } from './subscriptions.ts'
