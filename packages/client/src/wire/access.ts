import * as t from 'io-ts'
import { orNull, says } from './codecs.ts'
import { id, oneOf, timestamp } from './values.ts'

const OneTimeGrant = t.type(
  {
    type: says('It was bought once.', t.literal('one_time')),
    payment_id: says('The payment that gives access.', id('pay_')),
  },
  'OneTimeGrant',
)

const SubscriptionGrant = t.type(
  {
    type: says('It is subscribed to.', t.literal('subscription')),
    subscription_id: says('The subscription that gives access.', id('sub_')),
    status: says('How the subscription stands.', oneOf('active', 'trialing', 'paused')),
    grace_until: says('Until when access goes on although a payment is owed; null when none is.', orNull(timestamp)),
  },
  'SubscriptionGrant',
)

const result = {
  has_access: says('Whether the customer may use the product.', t.boolean),
  grant: says('Null when there is no access.', orNull(t.union([OneTimeGrant, SubscriptionGrant]))),
  expires_at: says('When the access ends by itself; null when it does not.', orNull(timestamp)),
}

/** Whether and why a customer is entitled to a product. */
export const AccessResult = t.type(result, 'AccessResult')
export type AccessResult = t.TypeOf<typeof AccessResult>

/** The result of the access check from an event on. */
export const AccessChange = t.type(
  {
    ...result,
    customer_id: says('The customer whose access has changed.', id('cus_')),
    product_id: says('The product that it opens.', id('prod_')),
  },
  'AccessChange',
)
