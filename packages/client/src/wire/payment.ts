import * as t from 'io-ts'
import { orNull, says } from './codecs.ts'
import {
  assetAmount,
  assetId,
  checkoutId,
  createdAt,
  environment,
  metadataOf,
  stroopDigits,
  transactionHash,
} from './fields.ts'
import { count, id, oneOf, timestamp } from './values.ts'

export const PaymentStatus = oneOf('pending', 'confirmed', 'failed')

const LineItem = t.type(
  {
    id: id('ref_'),
    amount: assetAmount,
    reason: orNull(t.string),
    status: PaymentStatus,
  },
  'LineItem',
)

/** The incoming payments of one checkout or renewal. */
export const Payment = t.type(
  {
    id: id('pay_'),
    object: t.literal('payment'),
    checkout_id: checkoutId,
    customer_id: says('The payer.', orNull(id('cus_'))),
    subscription_id: says('Set when the payment is the renewal of a subscription.', orNull(id('sub_'))),
    amount: says(
      '`<amount> <asset code>`; of a renewal for which nothing has come, what is to be charged.',
      assetAmount,
    ),
    amount_stroops: says('The amount in 10⁻⁷ of the asset.', stroopDigits),
    asset_id: assetId,
    currency_code: says('The currency of the price that was paid.', orNull(t.string)),
    amount_cents: says('The price that was paid × 100.', orNull(t.number)),
    status: PaymentStatus,
    transaction_hash: says('The transaction on the ledger that completed it.', orNull(transactionHash)),
    transactions: says(
      'All that it consists of.',
      t.readonlyArray(
        t.type({ hash: transactionHash, ledger: count, amount: assetAmount, from: t.string }, 'PaymentTransaction'),
      ),
    ),
    billing_details: says(
      'The customer when it was paid; null when none was attached.',
      orNull(t.type({ email: orNull(t.string), name: orNull(t.string) }, 'BillingDetails')),
    ),
    payment_method_details: says(
      'The wallet used; null if unavailable.',
      orNull(t.type({ id: id('cwl_'), address: t.string }, 'PaymentMethod')),
    ),
    line_items: says('Refunds issued against the payment.', t.readonlyArray(LineItem)),
    metadata: metadataOf('payment'),
    ledger: says('The sequence of the ledger that confirmed it.', orNull(count)),
    confirmed_at: orNull(timestamp),
    failure_reason: orNull(oneOf('transaction_dead', 'underpaid', 'charge_refused', 'not_sent', 'network_reset')),
    failure_code: says(
      'Of a renewal that was refused: why, such as `balance_too_low` or `above_cap`.',
      orNull(t.string),
    ),
    platform_fee: says('What the merchant owes the operator for it; null for nothing.', orNull(assetAmount)),
    overpaid_amount: says('The excess that was kept.', orNull(assetAmount)),
    late: says('Whether it came after its checkout had expired.', t.boolean),
    refunded: t.boolean,
    synced_at: says('The close time of the newest ledger that was read.', orNull(timestamp)),
    environment,
    created_at: createdAt,
  },
  'Payment',
)
export type Payment = t.TypeOf<typeof Payment>
