import * as t from 'io-ts'
import { orNull, says } from './codecs.ts'
import { id, oneOf, timestamp } from './values.ts'

const OneTimeGrant = t.type({ type: t.literal('one_time'), payment_id: id('pay_') }, 'OneTimeGrant')

const SubscriptionGrant = t.type(
  {
    type: t.literal('subscription'),
    subscription_id: id('sub_'),
    status: oneOf('active', 'trialing', 'paused'),
    grace_until: says('Until when access goes on although a payment is owed; null when none is.', orNull(timestamp)),
  },
  'SubscriptionGrant',
)

const result = {
  has_access: t.boolean,
  grant: says('Null when there is no access.', orNull(t.union([OneTimeGrant, SubscriptionGrant]))),
  expires_at: says('When the access ends by itself; null when it does not.', orNull(timestamp)),
}

/** Whether and why a customer is entitled to a product. */
export const AccessResult = t.type(result, 'AccessResult')
export type AccessResult = t.TypeOf<typeof AccessResult>

/** The result of the access check from an event on. */
export const AccessChange = t.type({ ...result, customer_id: id('cus_'), product_id: id('prod_') }, 'AccessChange')
