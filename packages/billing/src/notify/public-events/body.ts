import type { Environment, EventResource, EventTypeOf } from '@quittance/domain'
import type { ApprovalResource } from '../../resources/approval.ts'
import type { CheckoutResource } from '../../resources/checkout.ts'
import type { CustomerResource } from '../../resources/customer.ts'
import type { ExceptionResource } from '../../resources/exception.ts'
import type { LimitsResource } from '../../resources/limits.ts'
import type { PaymentResource } from '../../resources/payment.ts'
import type { PayoutResource } from '../../resources/payout.ts'
import type { PayoutDestinationResource } from '../../resources/payout-destination.ts'
import type { PriceChangeResource } from '../../resources/price-change.ts'
import type { ProductResource } from '../../resources/product.ts'
import type { RefundResource } from '../../resources/refund.ts'
import type { SubscriptionResource } from '../../resources/subscription.ts'
import type { WebhookResource } from '../../resources/webhook.ts'
import type { Renderer } from './as-of.ts'
import type { CustomerWallet } from './customer-wallet.ts'
import type { AccessChange, CreditChange } from './entitlement.ts'

/** The fields of all bodies. `timestamp` is when the fact occurred: ISO 8601 in UTC with milliseconds. */
export type Heading = {
  readonly id: string
  readonly timestamp: string
  readonly api_version: string
  readonly environment: Environment
  readonly resource_id: string
  readonly sequence: number
}

/** `data` is the resource as the interface shows it, as of the event. */
export type BodyOf<R extends EventResource, Data> = Heading & { readonly type: EventTypeOf<R>; readonly data: Data }

/** `previous` holds the former values of changed fields. */
export type UpdateOf<Type extends string, Data> = Heading & {
  readonly type: Type
  readonly data: Data
  readonly previous: Readonly<Record<string, unknown>>
}

/** The body that endpoints receive and `GET /events` answers. */
export type EventBody =
  | BodyOf<'customer', CustomerResource>
  | UpdateOf<'customer.updated', CustomerResource>
  | BodyOf<'payment_method', CustomerWallet>
  | BodyOf<'product', ProductResource>
  | UpdateOf<'product.updated', ProductResource>
  | BodyOf<'checkout', CheckoutResource>
  | BodyOf<'payment', PaymentResource>
  | BodyOf<'refund', RefundResource>
  | BodyOf<'payout', PayoutResource>
  | BodyOf<'payout_destination', PayoutDestinationResource>
  | BodyOf<'price_change', PriceChangeResource>
  | BodyOf<'subscription', SubscriptionResource>
  | UpdateOf<'subscription.updated', SubscriptionResource>
  | BodyOf<'access', AccessChange>
  | BodyOf<'credits', CreditChange>
  | BodyOf<'approval', ApprovalResource>
  | BodyOf<'limits', LimitsResource>
  | BodyOf<'exception', ExceptionResource>
  | BodyOf<'webhook', WebhookResource>

/** Renders an event for a reader, without what is embedded in its resource and not the reader's to read. */
export type RenderPublicEvent = Renderer<EventBody>
