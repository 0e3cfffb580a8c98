import * as t from 'io-ts'
import { says } from './codecs.ts'
import { assetId } from './fields.ts'
import { id, timestamp } from './values.ts'

// The answers to writes of app tokens that may not read what they write: what the caller needs to go on.

export const CustomerReceipt = t.type({ id: id('cus_'), object: t.literal('customer') }, 'CustomerReceipt')
export const WalletReceipt = t.type({ id: id('cwl_') }, 'WalletReceipt')
export const CreditReceipt = t.type({ object: t.literal('credit_balance') }, 'CreditReceipt')
export const ProductReceipt = t.type({ id: id('prod_'), object: t.literal('product') }, 'ProductReceipt')
export const PriceChangeReceipt = t.type({ id: id('prc_'), object: t.literal('price_change') }, 'PriceChangeReceipt')
export const CheckoutReceipt = t.type(
  {
    id: id('chk_'),
    object: t.literal('checkout'),
    payment_url: says('Where to send the customer to pay.', t.string),
    expires_at: timestamp,
  },
  'CheckoutReceipt',
)
export const RefundReceipt = t.type({ id: id('rf_'), object: t.literal('refund') }, 'RefundReceipt')
export const PayoutReceipt = t.type({ id: id('po_'), object: t.literal('payout') }, 'PayoutReceipt')
export const PayoutScheduleReceipt = t.type(
  { object: t.literal('payout_schedule'), asset_id: assetId },
  'PayoutScheduleReceipt',
)
export const SubscriptionReceipt = t.type({ id: id('sub_'), object: t.literal('subscription') }, 'SubscriptionReceipt')
export const WebhookReceipt = t.type({ id: id('wh_'), object: t.literal('webhook') }, 'WebhookReceipt')
export const WebhookSecretReceipt = t.type(
  { id: id('wh_'), object: t.literal('webhook'), secret: says('Begins with `whsec_`.', t.string) },
  'WebhookSecretReceipt',
)
export const DeliveryReceipt = t.type({ id: id('dlv_'), object: t.literal('webhook_delivery') }, 'DeliveryReceipt')
export const ApprovalReceipt = t.type({ id: id('apr_'), object: t.literal('approval') }, 'ApprovalReceipt')
export const ExceptionReceipt = t.type({ id: id('exc_'), object: t.literal('exception') }, 'ExceptionReceipt')
export const MerchantReceipt = t.type({ object: t.literal('merchant') }, 'MerchantReceipt')
export const SettlementReceipt = t.type({ object: t.literal('settlement') }, 'SettlementReceipt')
