import type { Billing } from '@quittance/billing'
import {
  ChangedWebhook,
  DeletedWebhook,
  DeliveryReceipt,
  id,
  listOf,
  NewWebhook,
  Webhook,
  WebhookDelivery,
  WebhookReceipt,
  WebhookSecretReceipt,
  WebhookWithSecret,
} from '@quittance/client/wire'
import * as t from 'io-ts'
import { keyed } from '../wire/auth.ts'
import { answerOf, removed } from '../wire/call.ts'
import { answerPage, list, page, record } from '../wire/lists.ts'
import { atMoment } from '../wire/moment.ts'
import { command, type Route, route } from '../wire/route.ts'

const params = { id: id('wh_') }
const read = keyed('webhooks:read')
const write = keyed('webhooks:write')

export const webhookRoutes = (billing: Billing): ReadonlyArray<Route> => {
  const { webhooks, deliveries } = billing
  return [
    command(billing, {
      method: 'POST',
      path: '/webhooks',
      summary: 'Create an endpoint, whose secret is shown here alone',
      auth: write,
      body: NewWebhook,
      problems: ['too_many_endpoints'],
      answer: WebhookWithSecret,
      receipt: WebhookSecretReceipt,
      handler: (context, details) => webhooks.create(context, details),
    }),
    list({
      path: '/webhooks',
      summary: 'List endpoints',
      auth: read,
      of: Webhook,
      from: atMoment(billing, (then) => then.webhooks),
    }),
    record({
      path: '/webhooks/:id',
      summary: 'Retrieve an endpoint',
      auth: read,
      id: params.id,
      of: Webhook,
      from: atMoment(billing, (then) => then.webhooks),
    }),
    command(billing, {
      method: 'PUT',
      path: '/webhooks/:id',
      summary: 'Change an endpoint, or suspend its deliveries',
      auth: write,
      params,
      body: ChangedWebhook,
      answer: Webhook,
      receipt: WebhookReceipt,
      handler: (context, { is_disabled: isDisabled, ...changed }, { param }) =>
        webhooks.update(context, param('id'), { changed, isDisabled: isDisabled ?? null }),
    }),
    command(billing, {
      method: 'DELETE',
      path: '/webhooks/:id',
      summary: 'Delete an endpoint',
      auth: write,
      params,
      answer: DeletedWebhook,
      receipt: 'all',
      handler: (context, _, { param }) =>
        removed(webhooks.remove(context, param('id')), { id: param('id'), object: 'webhook' }),
    }),
    command(billing, {
      method: 'POST',
      path: '/webhooks/:id/rotate_secret',
      summary: 'Make a new secret; the one before signs as well for 24 hours',
      auth: write,
      params,
      answer: WebhookWithSecret,
      receipt: WebhookSecretReceipt,
      handler: (context, _, { param }) => webhooks.rotateSecret(context, param('id')),
    }),
    route({
      method: 'GET',
      path: '/webhooks/:id/deliveries',
      summary: 'List what is on its way to an endpoint, and what ended in the last 30 days',
      auth: read,
      params,
      query: t.type(page),
      answer: listOf(WebhookDelivery),
      handler: async ({ param, principal, reads, query }) => {
        const id = param('id')
        await answerOf(webhooks.retrieve(principal(), id))
        return answerPage(`/webhooks/${id}/deliveries`, principal(), query, {
          list: (request) => () => answerOf(deliveries.list(id, request, reads())),
          retrieve: (owner, deliveryId) => deliveries.retrieve(owner, id, deliveryId, reads()),
        })
      },
    }),
    command(billing, {
      method: 'POST',
      path: '/webhooks/:id/deliveries/:delivery_id/redeliver',
      summary: 'Deliver an event once more',
      auth: write,
      params: { ...params, delivery_id: id('dlv_') },
      answer: WebhookDelivery,
      receipt: DeliveryReceipt,
      handler: (context, _, { param }) => deliveries.redeliver(context, param('id'), param('delivery_id')),
    }),
    command(billing, {
      method: 'POST',
      path: '/webhooks/:id/test',
      summary: 'Deliver something that has not happened, to try an endpoint out',
      auth: write,
      params,
      answer: WebhookDelivery,
      receipt: DeliveryReceipt,
      handler: (context, _, { param }) => deliveries.test(context, param('id')),
    }),
  ]
}
