import * as t from 'io-ts'
import { says } from './codecs.ts'
import { assetId, objectOf } from './fields.ts'
import { id, timestamp } from './values.ts'

// The answers to writes of app tokens that may not read what they write: what the caller needs to go on.

/** The answer to a change of a customer. */
export const CustomerReceipt = t.type({ id: id('cus_'), object: objectOf('customer') }, 'CustomerReceipt')
/** The answer to a change of a wallet. */
export const WalletReceipt = t.type({ id: id('cwl_') }, 'WalletReceipt')
/** The answer to a change of a credit balance. */
export const CreditReceipt = t.type({ object: objectOf('credit_balance') }, 'CreditReceipt')
/** The answer to a change of a product. */
export const ProductReceipt = t.type({ id: id('prod_'), object: objectOf('product') }, 'ProductReceipt')
/** The answer to a change of a price change. */
export const PriceChangeReceipt = t.type({ id: id('prc_'), object: objectOf('price_change') }, 'PriceChangeReceipt')
/** The answer to a change of a checkout. */
export const CheckoutReceipt = t.type(
  {
    id: id('chk_'),
    object: objectOf('checkout'),
    payment_url: says('Where to send the customer to pay.', t.string),
    expires_at: says('When the checkout expires.', timestamp),
  },
  'CheckoutReceipt',
)
/** The answer to a change of a refund. */
export const RefundReceipt = t.type({ id: id('rf_'), object: objectOf('refund') }, 'RefundReceipt')
/** The answer to a change of a payout. */
export const PayoutReceipt = t.type({ id: id('po_'), object: objectOf('payout') }, 'PayoutReceipt')
/** The answer to a change of a payout schedule. */
export const PayoutScheduleReceipt = t.type(
  { object: objectOf('payout_schedule'), asset_id: assetId },
  'PayoutScheduleReceipt',
)
/** The answer to a change of a subscription. */
export const SubscriptionReceipt = t.type({ id: id('sub_'), object: objectOf('subscription') }, 'SubscriptionReceipt')
/** The answer to a change of an endpoint. */
export const WebhookReceipt = t.type({ id: id('wh_'), object: objectOf('webhook') }, 'WebhookReceipt')
/** The answer to a new secret of an endpoint. */
export const WebhookSecretReceipt = t.type(
  { id: id('wh_'), object: objectOf('webhook'), secret: says('Begins with `whsec_`.', t.string) },
  'WebhookSecretReceipt',
)
/** The answer to a change of a delivery. */
export const DeliveryReceipt = t.type({ id: id('dlv_'), object: objectOf('webhook_delivery') }, 'DeliveryReceipt')
/** The answer to a decision about an approval. */
export const ApprovalReceipt = t.type({ id: id('apr_'), object: objectOf('approval') }, 'ApprovalReceipt')
/** The answer to a change of an exception. */
export const ExceptionReceipt = t.type({ id: id('exc_'), object: objectOf('exception') }, 'ExceptionReceipt')
/** The answer to a change of a merchant. */
export const MerchantReceipt = t.type({ object: objectOf('merchant') }, 'MerchantReceipt')
/** The answer to a change of the settlement. */
export const SettlementReceipt = t.type({ object: objectOf('settlement') }, 'SettlementReceipt')
