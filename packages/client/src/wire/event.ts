import { type EventResource, type EventTypeOf, eventTypes, isEventOf } from '@quittance/domain/values'
import * as t from 'io-ts'
import { AccessChange } from './access.ts'
import { Approval, Limits } from './approval.ts'
import { Checkout } from './checkout.ts'
import { says } from './codecs.ts'
import { CreditChange } from './credits.ts'
import { Customer } from './customer.ts'
import { Exception } from './exception.ts'
import { environment } from './fields.ts'
import { Payment } from './payment.ts'
import { Payout, PayoutDestination } from './payout.ts'
import { PriceChangeFact } from './price-change.ts'
import { Product } from './product.ts'
import { WebhookReceipt } from './receipt.ts'
import { Refund } from './refund.ts'
import { Subscription } from './subscription.ts'
import { count, id, oneOf, positiveCount, timestamp } from './values.ts'
import { CustomerWallet } from './wallet.ts'
import { Webhook } from './webhook.ts'

/** The types of public events. */
export const EventType = oneOf(...eventTypes)

const shown = {
  id: says('The same in every delivery, as `webhook-id`.', id('evt_')),
  timestamp: says('When it happened.', timestamp),
  api_version: says('Of the form of `data`.', t.string),
  environment,
  resource_id: says(
    'What it is about; of `access` and `credits` the customer and the product: `cus_…/prod_…`.',
    t.string,
  ),
  sequence: says('Counts the events of the resource, from 1 and without gaps.', positiveCount),
}

const eventOf = <R extends EventResource, C extends t.Mixed>(name: string, resource: R, of: C) =>
  t.type(
    {
      ...shown,
      type: says(
        'What has happened.',
        oneOf(...eventTypes.filter((type): type is EventTypeOf<R> => isEventOf(resource, type))),
      ),
      data: says('As it was right after the event.', of),
    },
    name,
  )

const updateOf = <Type extends string, C extends t.Mixed>(name: string, type: Type, of: C) =>
  t.type(
    {
      ...shown,
      type: says('What has happened.', t.literal(type)),
      data: says('As it was right after the event.', of),
      previous: says('The fields that have changed, as they were before.', t.UnknownRecord),
    },
    name,
  )

/** A public event. */
export const Event = t.union(
  [
    eventOf('CustomerEvent', 'customer', Customer),
    updateOf('CustomerUpdate', 'customer.updated', Customer),
    eventOf('PaymentMethodEvent', 'payment_method', CustomerWallet),
    eventOf('ProductEvent', 'product', Product),
    updateOf('ProductUpdate', 'product.updated', Product),
    eventOf('CheckoutEvent', 'checkout', Checkout),
    eventOf('PaymentEvent', 'payment', Payment),
    eventOf('RefundEvent', 'refund', Refund),
    eventOf('PayoutEvent', 'payout', Payout),
    eventOf('PayoutDestinationEvent', 'payout_destination', PayoutDestination),
    eventOf('PriceChangeEvent', 'price_change', PriceChangeFact),
    eventOf('SubscriptionEvent', 'subscription', Subscription),
    updateOf('SubscriptionUpdate', 'subscription.updated', Subscription),
    eventOf('AccessEvent', 'access', AccessChange),
    eventOf('CreditsEvent', 'credits', CreditChange),
    eventOf('ApprovalEvent', 'approval', Approval),
    eventOf('LimitsEvent', 'limits', Limits),
    eventOf('ExceptionEvent', 'exception', Exception),
    eventOf('WebhookEvent', 'webhook', Webhook),
  ],
  'Event',
)
export type Event = t.TypeOf<typeof Event>

/** Something that has not happened, to try an endpoint out. */
export const TestEvent = t.type(
  {
    ...shown,
    sequence: says('Tests are not counted: 0.', count),
    type: says('What has happened: nothing.', t.literal('webhook.test')),
    data: says('The endpoint; its id alone where it may not read more.', t.union([Webhook, WebhookReceipt])),
  },
  'TestEvent',
)
