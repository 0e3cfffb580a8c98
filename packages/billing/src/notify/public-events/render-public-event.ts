import { isDeepStrictEqual } from 'node:util'
import { type EventResource, type EventType, isEventOf } from '@quittance/domain'
import {
  approvals,
  checkouts,
  customers,
  exceptions,
  type Found,
  type PublicEvent,
  payments,
  payoutDestinations,
  payouts,
  priceChanges,
  products,
  type ReadModel,
  refunds,
  type SubscriptionRow,
  subscriptions,
  webhooks,
} from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { approvalResource } from '../../resources/approval.ts'
import { checkoutResource } from '../../resources/checkout.ts'
import { customerResource } from '../../resources/customer.ts'
import { exceptionResource } from '../../resources/exception.ts'
import { timestamp } from '../../resources/fields.ts'
import { paymentResource } from '../../resources/payment.ts'
import { payoutResource } from '../../resources/payout.ts'
import { payoutDestinationResource } from '../../resources/payout-destination.ts'
import { priceChangeResource } from '../../resources/price-change.ts'
import { productResource } from '../../resources/product.ts'
import { refundResource } from '../../resources/refund.ts'
import { subscriptionResource } from '../../resources/subscription.ts'
import { visiblePayment } from '../../resources/visible.ts'
import { webhookResource } from '../../resources/webhook.ts'
import type { Services } from '../../services/services.ts'
import { fromStream, idIn, type Renderer, rowOf } from './as-of.ts'
import type { BodyOf, Heading, RenderPublicEvent, UpdateOf } from './body.ts'
import { renderWallet } from './customer-wallet.ts'
import { renderAccess, renderCredits } from './entitlement.ts'
import { renderLimits } from './limits.ts'
import { renderMerged } from './merged-customer.ts'

/** The version of the bodies' format. */
export const apiVersion = '2026-11-20'

/**
 * Renders the body of an event: folds the resource from its history, each time. Data erased since then is missing.
 */
export const renderPublicEvent = (services: Pick<Services, 'store' | 'vault' | 'publicUrl'>): RenderPublicEvent => {
  const renderers: ReadonlyMap<string, RenderPublicEvent> = new Map(Object.entries(renderersOf(services)))
  return (publicEvent, ...more) => {
    const { type } = publicEvent
    const render = renderers.get(type) ?? renderers.get(type.slice(0, type.indexOf('.')))
    if (render === undefined) throw new Error(`no renderer for ${type}`)
    return render(publicEvent, ...more)
  }
}

/** Events are rendered by their resource; updates, and what has a stream of its own, by their type. */
type Rendered = EventResource | 'customer.merged' | Extract<EventType, `${string}.updated`>

const renderersOf = (
  services: Pick<Services, 'store' | 'vault' | 'publicUrl'>,
): Readonly<Record<Rendered, RenderPublicEvent>> => {
  const { vault, publicUrl } = services
  const ofStream = <Row, Data>(
    model: ReadModel<Row>,
    show: (found: Found<Row>) => Data | Promise<Data>,
  ): Renderer<Data> => fromStream(async (publicEvent, events) => show(rowOf(model, idIn(publicEvent), events)))
  const showCustomer = customerResource(vault)
  const showSubscription = (found: Found<SubscriptionRow>) =>
    subscriptionResource(publicUrl(), found.row.updatedAt)(found)
  return {
    customer: body('customer', ofStream(customers, showCustomer)),
    'customer.merged': body('customer', renderMerged(services)),
    'customer.updated': update('customer.updated', customers, showCustomer),
    payment_method: body('payment_method', renderWallet),
    product: body('product', ofStream(products, productResource)),
    'product.updated': update('product.updated', products, productResource),
    checkout: body(
      'checkout',
      ofStream(checkouts, (found) => checkoutResource(publicUrl())(found)),
    ),
    // It is not known how far ledgers were ingested then.
    payment: body(
      'payment',
      fromStream(async (publicEvent, events, reads) =>
        visiblePayment(reads, await paymentResource(services, null)(rowOf(payments, idIn(publicEvent), events))),
      ),
    ),
    refund: body(
      'refund',
      ofStream(refunds, (found) => refundResource(found)),
    ),
    payout: body(
      'payout',
      ofStream(payouts, (found) => payoutResource(found)),
    ),
    payout_destination: body('payout_destination', ofStream(payoutDestinations, payoutDestinationResource)),
    price_change: body('price_change', ofStream(priceChanges, priceChangeResource)),
    subscription: body('subscription', ofStream(subscriptions, showSubscription)),
    'subscription.updated': update('subscription.updated', subscriptions, showSubscription),
    access: body('access', renderAccess),
    credits: body('credits', renderCredits(services)),
    approval: body('approval', ofStream(approvals, approvalResource)),
    limits: body('limits', renderLimits),
    exception: body('exception', ofStream(exceptions, exceptionResource)),
    webhook: body('webhook', ofStream(webhooks, webhookResource)),
  }
}

const headingOf = ({ id, environment, resourceId, sequence, occurredAt }: PublicEvent): Heading => ({
  id,
  timestamp: timestamp(occurredAt),
  api_version: apiVersion,
  environment,
  resource_id: resourceId,
  sequence,
})

const body =
  <R extends EventResource, Data>(resource: R, render: Renderer<Data>): Renderer<BodyOf<R, Data>> =>
  async (publicEvent, ...more) => {
    const { type } = publicEvent
    if (!isEventOf(resource, type)) throw new Error(`${type} is no event of a ${resource}`)
    const data = await render(publicEvent, ...more)
    return E.isLeft(data) ? data : E.right({ ...headingOf(publicEvent), type, data: data.right })
  }

const update = <Type extends string, Row, Data extends object>(
  type: Type,
  model: ReadModel<Row>,
  show: (found: Found<Row>) => Data | Promise<Data>,
): Renderer<UpdateOf<Type, Data>> =>
  fromStream(async (publicEvent, events) => {
    const data = await show(rowOf(model, idIn(publicEvent), events))
    const before = await show(rowOf(model, idIn(publicEvent), events.slice(0, -1)))
    const now: ReadonlyMap<string, unknown> = new Map(Object.entries(data))
    const previous = Object.entries(before).filter(([field, value]) => !isDeepStrictEqual(value, now.get(field)))
    return { ...headingOf(publicEvent), type, data, previous: Object.fromEntries(previous) }
  })
