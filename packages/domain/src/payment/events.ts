import * as t from 'io-ts'
import { AccountId, AssetId } from '../shared/asset.ts'
import { orNull } from '../shared/branded.ts'
import { Cents } from '../shared/cents.ts'
import { CurrencyCode } from '../shared/currency.ts'
import { fact, facts } from '../shared/fact.ts'
import { CheckoutId, CustomerId, InvoiceId, ProductId, RefundId, SubscriptionId, WalletId } from '../shared/ids.ts'
import { IncomingPayment, LedgerSequence, MuxedId, TransactionHash } from '../shared/incoming-payment.ts'
import { MetadataText } from '../shared/metadata.ts'
import { PlatformFee } from '../shared/platform-fee.ts'
import { Sealed } from '../shared/sealed.ts'
import { partial, strict } from '../shared/strict.ts'
import { Stroops } from '../shared/stroops.ts'
import { Text } from '../shared/text.ts'
import { Count, UnixMs } from '../shared/units.ts'

/**
 * A payment as it was opened. `productId` is what was sold, if anything; `subscriptionId` is set for renewals only, and
 * `period` the number of the subscription's period that it is for; `invoiceId` where an invoice for that was paid by hand;
 * `amountDue` what a mandate is to be charged for it; `platformFee` what the operator takes of it.
 */
export const PaymentDetails = t.intersection(
  [
    strict({
      checkoutId: CheckoutId,
      customerId: orNull(CustomerId),
      productId: orNull(ProductId),
      subscriptionId: orNull(SubscriptionId),
      assetId: AssetId,
      currencyCode: orNull(CurrencyCode),
      amountCents: orNull(Cents),
      metadata: MetadataText,
      /** What opened it: a transaction that was relayed, an incoming payment that nobody had announced, or a charge that fell due. */
      cause: t.keyof({ submission: null, credit: null, renewal: null }),
    }),
    partial({ period: Count, invoiceId: InvoiceId, amountDue: Stroops, platformFee: PlatformFee }),
  ],
  'PaymentDetails',
)
export type PaymentDetails = t.TypeOf<typeof PaymentDetails>

/** What a merchant owes the operator for a payment. */
const BookedFee = strict({ assetId: AssetId, amount: Stroops })

/**
 * How a payment was confirmed. `amount` = its incoming payments less the `excess` that is returned, so it includes `overpaid`,
 * the part of the excess that is kept. `transactionHash`, `ledger`, `confirmedAt` (its close time) and `payer` are
 * those of the incoming payment that completed it. `billingDetails` are sealed under the customer's key; null for a guest.
 * `platformFee` is what the merchant owes the operator for it, and keeps owing when it is refunded: a part of `amount` less
 * `overpaid`.
 */
export const PaymentConfirmation = t.intersection(
  [
    strict({
      amount: Stroops,
      excess: Stroops,
      overpaid: Stroops,
      late: t.boolean,
      transactionHash: TransactionHash,
      ledger: LedgerSequence,
      confirmedAt: UnixMs,
      walletId: orNull(WalletId),
      payer: AccountId,
      billingDetails: orNull(Sealed),
    }),
    partial({ platformFee: BookedFee }),
  ],
  'PaymentConfirmation',
)
export type PaymentConfirmation = t.TypeOf<typeof PaymentConfirmation>

/**
 * Why it failed: its transaction is proven dead and nothing else came; or too little had come at the deadline. Of a
 * renewal: the contract refused the charge, in a simulation or in a ledger; or it could not be sent. Of any: its network was reset.
 */
export const PaymentFailureReason = t.keyof(
  { transaction_dead: null, underpaid: null, charge_refused: null, not_sent: null, network_reset: null },
  'PaymentFailureReason',
)
export type PaymentFailureReason = t.TypeOf<typeof PaymentFailureReason>

/**
 * The one refund that a payment has under way: with the payment's own facts, all that it takes to carry it out, whatever
 * becomes of the process that has claimed it. `amount` is set if it is less than the payment's: what the sender brought.
 * `destinationMuxedId` and `sendsAt` are as in the refund.
 */
export const RefundClaim = t.intersection(
  [
    strict({
      refundId: RefundId,
      destination: AccountId,
      reason: orNull(Text),
      metadata: MetadataText,
      claimedAt: UnixMs,
    }),
    partial({ amount: Stroops, destinationMuxedId: MuxedId, sendsAt: UnixMs }),
  ],
  'RefundClaim',
)
export type RefundClaim = t.TypeOf<typeof RefundClaim>

/** What happens to a payment, as its stream holds it. */
export const PaymentEvent = facts([
  fact('PaymentOpened', PaymentDetails),
  // Until a ledger closes after maxTime without it, this transaction may still arrive.
  fact('PaymentSubmitted', strict({ transactionHash: TransactionHash, maxTime: UnixMs })),
  fact('PaymentCredited', strict({ credit: IncomingPayment })),
  fact('PaymentConfirmed', PaymentConfirmation),
  // `code` is the contract's number.
  fact(
    'PaymentFailed',
    t.intersection([strict({ reason: PaymentFailureReason, failedAt: UnixMs }), partial({ code: Text })]),
  ),
  // Before anything else of a refund is written. Released when it has failed: then another may follow.
  fact('RefundClaimed', RefundClaim),
  fact('RefundReleased', strict({ refundId: RefundId })),
  // Its subscription has set it aside: it goes back by exceptions, and no refund is claimed from then on.
  // `platformFee`: what was booked for it, and is owed no more.
  fact('ReturnClaimed', partial({ platformFee: BookedFee })),
  // Final. The close time of the ledger that holds the refund: what the payment granted ends there.
  fact('PaymentRefunded', strict({ refundId: RefundId, refundedAt: UnixMs })),
])
export type PaymentEvent = t.TypeOf<typeof PaymentEvent>
