import * as t from 'io-ts'
import { says } from './codecs.ts'
import { assetId, objectOf } from './fields.ts'
import { id, timestamp } from './values.ts'

// The answers to writes of app tokens that may not read what they write: what the caller needs to go on.

export const CustomerReceipt = t.type({ id: id('cus_'), object: objectOf('customer') }, 'CustomerReceipt')
export const WalletReceipt = t.type({ id: id('cwl_') }, 'WalletReceipt')
export const CreditReceipt = t.type({ object: objectOf('credit_balance') }, 'CreditReceipt')
export const ProductReceipt = t.type({ id: id('prod_'), object: objectOf('product') }, 'ProductReceipt')
export const PriceChangeReceipt = t.type({ id: id('prc_'), object: objectOf('price_change') }, 'PriceChangeReceipt')
export const CheckoutReceipt = t.type(
  {
    id: id('chk_'),
    object: objectOf('checkout'),
    payment_url: says('Where to send the customer to pay.', t.string),
    expires_at: says('When the checkout expires.', timestamp),
  },
  'CheckoutReceipt',
)
export const RefundReceipt = t.type({ id: id('rf_'), object: objectOf('refund') }, 'RefundReceipt')
export const PayoutReceipt = t.type({ id: id('po_'), object: objectOf('payout') }, 'PayoutReceipt')
export const PayoutScheduleReceipt = t.type(
  { object: objectOf('payout_schedule'), asset_id: assetId },
  'PayoutScheduleReceipt',
)
export const SubscriptionReceipt = t.type({ id: id('sub_'), object: objectOf('subscription') }, 'SubscriptionReceipt')
export const WebhookReceipt = t.type({ id: id('wh_'), object: objectOf('webhook') }, 'WebhookReceipt')
export const WebhookSecretReceipt = t.type(
  { id: id('wh_'), object: objectOf('webhook'), secret: says('Begins with `whsec_`.', t.string) },
  'WebhookSecretReceipt',
)
export const DeliveryReceipt = t.type({ id: id('dlv_'), object: objectOf('webhook_delivery') }, 'DeliveryReceipt')
export const ApprovalReceipt = t.type({ id: id('apr_'), object: objectOf('approval') }, 'ApprovalReceipt')
export const ExceptionReceipt = t.type({ id: id('exc_'), object: objectOf('exception') }, 'ExceptionReceipt')
export const MerchantReceipt = t.type({ object: objectOf('merchant') }, 'MerchantReceipt')
export const SettlementReceipt = t.type({ object: objectOf('settlement') }, 'SettlementReceipt')
