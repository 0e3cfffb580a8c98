import * as t from 'io-ts'
import { optional, orNull, says } from './codecs.ts'
import {
  assetAmount,
  assetId,
  createdAt,
  environment,
  metadataOf,
  objectOf,
  stroopDigits,
  transactionHash,
} from './fields.ts'
import { account, count, id, metadata, oneOf, text, timestamp } from './values.ts'

/** A new refund of a whole payment. */
export const NewRefund = t.type(
  {
    payment_id: says('A confirmed payment.', text(100)),
    reason: says('Why it is given back, for yourself and in the answer.', optional(text(5_000))),
    wallet_address: says(
      'Where it goes to: the wallet that paid, one that the customer has proven, or a registered payout destination. Any other needs a secret key or the scope `destinations:write`, and the refund waits for 24 hours. Left out: the wallet that paid.',
      optional(account),
    ),
    metadata: says('At most 50 keys of 40 characters, 16 KiB of JSON in all.', optional(metadata)),
  },
  'NewRefund',
)

/** Where a refund stands. */
export const RefundStatus = oneOf('pending', 'succeeded', 'failed')

/** A refund of a whole payment. */
export const Refund = t.type(
  {
    id: id('rf_'),
    object: objectOf('refund'),
    payment_id: says('The payment that is given back.', id('pay_')),
    customer_id: says('The customer who receives it; null for a guest.', orNull(id('cus_'))),
    amount: says('`<amount> <asset code>`: what the payment has brought.', assetAmount),
    amount_stroops: says('The amount in 10⁻⁷ of the asset.', stroopDigits),
    asset_id: assetId,
    status: says('`pending` until a closed ledger decides.', RefundStatus),
    sends_at: says(
      'Until when it waits and can be canceled, since nothing shows whose the receiving account is. Null if it does not wait.',
      orNull(timestamp),
    ),
    signature_needed: says(
      'Whether it waits until the merchant pays it from an account of its own: see `GET /settlement/signatures`.',
      t.boolean,
    ),
    approval_id: says(
      'The approval that it waits for, since it is over a limit. Null if it waits for none.',
      orNull(id('apr_')),
    ),
    reason: says('Why it is given back.', orNull(t.string)),
    receiver_wallet_address: says('The account that it is sent to (`G…`).', t.string),
    receiver_muxed_address: says(
      'The muxed address of that account (`M…`), if the payment came from one: an exchange, say, tells its customers apart by it. Null for any other.',
      orNull(t.string),
    ),
    transaction_hash: says('The transaction on the ledger that holds it.', orNull(transactionHash)),
    ledger: says('The sequence of the ledger that holds it.', orNull(count)),
    succeeded_at: says('When that ledger closed.', orNull(timestamp)),
    failure_reason: says(
      'Why it has failed, for a program. Nothing was paid, and the payment may be refunded again.',
      orNull(
        oneOf(
          'destination_not_found',
          'destination_no_trustline',
          'destination_not_authorized',
          'destination_full',
          'insufficient_funds',
          'credits_spent',
          'network_reset',
          'canceled',
          'not_approved',
          'refused_by_ledger',
          'not_sent',
        ),
      ),
    ),
    failure_message: says('Why it has failed, for a person.', orNull(t.string)),
    failure_code: says("The ledger's own code, where there is one.", orNull(t.string)),
    metadata: metadataOf('refund'),
    environment,
    created_at: createdAt,
  },
  'Refund',
)
export type Refund = t.TypeOf<typeof Refund>
