import type { Billing } from '@quittance/billing'
import {
  ChangedWebhook,
  DeletedWebhook,
  id,
  listOf,
  NewWebhook,
  Webhook,
  WebhookWithSecret,
} from '@quittance/client/wire'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { keyed } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { answerPage, list, page } from '../wire/lists.ts'
import { none, noRecord } from '../wire/nothing-yet.ts'
import { command, type Route, route } from '../wire/route.ts'

const params = { id: id('wh_') }
const read = keyed('webhooks:read')
const write = keyed('webhooks:write')

export const webhookRoutes = (billing: Billing): ReadonlyArray<Route> => {
  const { webhooks } = billing
  return [
    command(billing, {
      method: 'POST',
      path: '/webhooks',
      summary: 'Create an endpoint, whose secret is shown here alone',
      auth: write,
      body: NewWebhook,
      answer: WebhookWithSecret,
      handler: (context, details) => webhooks.create(context, details),
    }),
    list({ path: '/webhooks', summary: 'List endpoints', auth: read, of: Webhook, from: webhooks }),
    route({
      method: 'GET',
      path: '/webhooks/:id',
      summary: 'Retrieve an endpoint',
      auth: read,
      params,
      answer: Webhook,
      handler: ({ param, principal }) => answerOf(webhooks.retrieve(principal(), param('id'))),
    }),
    command(billing, {
      method: 'PUT',
      path: '/webhooks/:id',
      summary: 'Change an endpoint, or suspend its deliveries',
      auth: write,
      params,
      body: ChangedWebhook,
      answer: Webhook,
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
      handler: (context, _, { param }) =>
        pipe(
          webhooks.remove(context, param('id')),
          TE.map(() => ({ id: param('id'), object: 'webhook' as const, deleted: true as const })),
        ),
    }),
    command(billing, {
      method: 'POST',
      path: '/webhooks/:id/rotate_secret',
      summary: 'Make a new secret; the one before signs as well for 24 hours',
      auth: write,
      params,
      answer: WebhookWithSecret,
      handler: (context, _, { param }) => webhooks.rotateSecret(context, param('id')),
    }),
    route({
      method: 'GET',
      path: '/webhooks/:id/deliveries',
      summary: 'List deliveries: nothing is delivered yet',
      auth: read,
      params,
      query: t.type(page),
      answer: listOf(noRecord),
      handler: async ({ param, principal, query }) => {
        await answerOf(webhooks.retrieve(principal(), param('id')))
        return answerPage(`/webhooks/${param('id')}/deliveries`, principal(), query, none)
      },
    }),
  ]
}
