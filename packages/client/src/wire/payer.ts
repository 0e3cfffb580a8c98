import * as t from 'io-ts'
import { CheckoutStatus } from './checkout.ts'
import { optional, orNull, says } from './codecs.ts'
import { assetId, decimal, paymentId, transactionHash } from './fields.ts'
import { account, email, id, phone, text, timestamp } from './values.ts'

const Rate = t.type({ source: t.string, pair: t.string, rate: t.string, observed_at: timestamp }, 'Rate')

/** What a payer has to send, where, with which memo, by when. */
export const Quote = t.type(
  {
    checkout_id: id('chk_'),
    status: CheckoutStatus,
    destination: account,
    asset_id: assetId,
    amount: says('What is asked for in all; null where nothing can be paid any more.', orNull(decimal)),
    currency_code: t.string,
    currency_amount: decimal,
    memo: says('The text without which a payment cannot be told from others.', t.string),
    memo_type: t.literal('text'),
    network_passphrase: t.string,
    valid_until: orNull(timestamp),
    amount_received: decimal,
    amount_due: says('What is still to be sent.', decimal),
    sep7_uri: says('A SEP-7 address that opens a wallet.', orNull(t.string)),
    rates: says('What the amount was computed with.', t.readonlyArray(Rate)),
  },
  'Quote',
)

/** How a checkout stands, for the page that waits for the payment. */
export const PayerStatus = t.type(
  {
    checkout_id: id('chk_'),
    status: CheckoutStatus,
    amount_received: decimal,
    amount_due: orNull(decimal),
    currency_code: says('The code of the asset.', t.string),
    payment_id: paymentId,
    transaction_hash: orNull(transactionHash),
    failure_reason: orNull(t.string),
    late: t.boolean,
    redirect_url: orNull(t.string),
    expires_at: timestamp,
    valid_until: orNull(timestamp),
  },
  'PayerStatus',
)

/** Who pays, where the checkout has no customer yet. */
export const PayerDetails = t.type({ email, name: optional(text(250)), phone: optional(phone) }, 'PayerDetails')

export const AttachedCustomer = t.type({ checkout_id: id('chk_') }, 'AttachedCustomer')

export const SignedTransaction = t.type(
  { transaction_xdr: says('The signed envelope in base64 XDR.', text(100_000)) },
  'SignedTransaction',
)

export const RelayedTransaction = t.type({ transaction_hash: transactionHash }, 'RelayedTransaction')
