import * as t from 'io-ts'
import { orNull, says } from './codecs.ts'
import {
  assetAmount,
  assetId,
  checkoutId,
  createdAt,
  environment,
  metadataOf,
  objectOf,
  priceCurrency,
  stroopDigits,
  transactionHash,
} from './fields.ts'
import { count, id, oneOf, timestamp } from './values.ts'

/** Where a payment stands. */
export const PaymentStatus = oneOf('pending', 'confirmed', 'failed')

const LineItem = t.type(
  {
    id: id('ref_'),
    amount: says('What was given back.', assetAmount),
    reason: says('Why it was given back.', orNull(t.string)),
    status: says('`pending` until a ledger decides, then `confirmed` or `failed`.', PaymentStatus),
  },
  'LineItem',
)

/** The incoming payments of one checkout or renewal. */
export const Payment = t.type(
  {
    id: id('pay_'),
    object: objectOf('payment'),
    checkout_id: checkoutId,
    customer_id: says('The payer.', orNull(id('cus_'))),
    subscription_id: says(
      'Set when the payment renews a subscription. Null of its first payment, which belongs to the checkout; `GET /payment?subscription_id=` lists that too.',
      orNull(id('sub_')),
    ),
    amount: says(
      '`<amount> <asset code>`; of a renewal for which nothing has come, what is to be charged.',
      assetAmount,
    ),
    amount_stroops: says('The amount in 10⁻⁷ of the asset.', stroopDigits),
    asset_id: assetId,
    currency_code: priceCurrency,
    amount_cents: says('The price that was paid × 100; null where it was stated in an asset.', orNull(t.number)),
    status: says('`pending` until a ledger decides, then `confirmed` or `failed`.', PaymentStatus),
    transaction_hash: says('The transaction on the ledger that completed it.', orNull(transactionHash)),
    transactions: says(
      'All that it consists of.',
      t.readonlyArray(
        t.type(
          {
            hash: says('The transaction on the ledger.', transactionHash),
            ledger: says('The sequence of the ledger that holds it.', count),
            amount: says('What it brought.', assetAmount),
            from: says('The account that it came from.', t.string),
          },
          'PaymentTransaction',
        ),
      ),
    ),
    billing_details: says(
      'The customer when it was paid; null when none was attached.',
      orNull(
        t.type(
          {
            email: says('The email of the customer.', orNull(t.string)),
            name: says('The full name of the customer.', orNull(t.string)),
          },
          'BillingDetails',
        ),
      ),
    ),
    payment_method_details: says(
      'The wallet used; null if unavailable.',
      orNull(t.type({ id: id('cwl_'), address: says('The account that paid.', t.string) }, 'PaymentMethod')),
    ),
    line_items: says('Refunds issued against the payment.', t.readonlyArray(LineItem)),
    metadata: metadataOf('payment'),
    ledger: says('The sequence of the ledger that confirmed it.', orNull(count)),
    confirmed_at: says('When the ledger closed that confirmed it.', orNull(timestamp)),
    failure_reason: says(
      'Why it has failed, for a program.',
      orNull(oneOf('transaction_dead', 'underpaid', 'charge_refused', 'not_sent', 'network_reset')),
    ),
    failure_code: says(
      'Of a renewal that was refused: why, such as `balance_too_low` or `above_cap`.',
      orNull(t.string),
    ),
    platform_fee: says('What the merchant owes the operator for it; null for nothing.', orNull(assetAmount)),
    overpaid_amount: says('The excess that was kept.', orNull(assetAmount)),
    late: says('Whether it came after its checkout had expired.', t.boolean),
    refunded: says('Whether it was given back.', t.boolean),
    receipt_url: says(
      'The address of its receipt, for whoever has it; null until it is confirmed, and for app tokens that may not read customers and refunds.',
      orNull(t.string),
    ),
    synced_at: says('The close time of the newest ledger that was read.', orNull(timestamp)),
    environment,
    created_at: createdAt,
  },
  'Payment',
)
export type Payment = t.TypeOf<typeof Payment>
