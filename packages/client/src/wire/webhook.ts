import type { Text } from '@quittance/domain/values'
import * as t from 'io-ts'
import { optional, orNull, says, unchanged } from './codecs.ts'
import { createdAt, environment, isDeleted, objectOf, updatedAt } from './fields.ts'
import { count, httpUrl, id, oneOf, such, text, timestamp } from './values.ts'

const mostEvents = 100
const event = text(100)
const selected = 'types of event, `subscription.*` for all of those, or `*` for all there are'
const events = such(
  t.readonlyArray<t.Type<Text, string, unknown>>(event),
  ({ length }) => length > 0 && length <= mostEvents,
  `a list of 1 to ${mostEvents} types of event`,
  { type: 'array', items: event.schema, minItems: 1, maxItems: mostEvents, examples: [['payment.confirmed']] },
)

const shown = {
  id: id('wh_'),
  object: objectOf('webhook'),
  name: says('A label.', t.string),
  url: says('Where events are sent to.', t.string),
  events: says(`What it is told of: ${selected}.`, t.readonlyArray(t.string)),
  is_disabled: says('Whether deliveries are suspended.', t.boolean),
  description: says('What it is for.', orNull(t.string)),
  environment,
  created_at: createdAt,
  updated_at: updatedAt,
}

/** A webhook endpoint. */
export const Webhook = t.type(shown, 'Webhook')
export type Webhook = t.TypeOf<typeof Webhook>

/** A webhook endpoint with its signing secret. */
export const WebhookWithSecret = t.type(
  { ...shown, secret: says('Begins with `whsec_`. It is shown here and never again.', t.string) },
  'WebhookWithSecret',
)

/** A new endpoint. */
export const NewWebhook = t.type(
  {
    name: says('A label.', text(250)),
    url: says('An https address; in the sandbox also http to this machine.', httpUrl),
    events: says(`What it is told of: ${selected}.`, events),
    description: says('What it is for.', optional(text(5_000))),
  },
  'NewWebhook',
)

/** Changes to an endpoint. Missing fields stay. */
export const ChangedWebhook = t.type(
  {
    name: says('A label.', unchanged(text(250))),
    url: says('An https address; in the sandbox also http to this machine.', unchanged(httpUrl)),
    events: says(`What it is told of from now on: ${selected}.`, unchanged(events)),
    is_disabled: says('Whether deliveries are suspended.', unchanged(t.boolean)),
    description: says('What it is for; null takes it away.', unchanged(orNull(text(5_000)))),
  },
  'ChangedWebhook',
)

/** That an endpoint was deleted. */
export const DeletedWebhook = t.type(
  { id: id('wh_'), object: objectOf('webhook'), deleted: isDeleted },
  'DeletedWebhook',
)

/** A delivery of one event to one endpoint, with the result of the last attempt. */
export const WebhookDelivery = t.type(
  {
    id: id('dlv_'),
    object: objectOf('webhook_delivery'),
    webhook_id: says('The endpoint.', id('wh_')),
    event_id: says('The `webhook-id` of every attempt.', id('evt_')),
    event_type: says('The type of the event; `webhook.test` of a test.', t.string),
    status: says(
      '`pending` while attempts follow, `delivered` once one was answered with 2xx, `exhausted` five days after the first.',
      oneOf('pending', 'delivered', 'exhausted'),
    ),
    attempts: says('How many were made.', count),
    first_attempt_at: says('When it was first sent.', orNull(timestamp)),
    last_attempt_at: says('When it was last sent.', orNull(timestamp)),
    next_attempt_at: says(
      'Null while it is being sent, waits for an earlier event of its resource, or is over.',
      orNull(timestamp),
    ),
    response_status: says('The HTTP status of the last answer, if there was one.', orNull(count)),
    response_body: says('At most the first KiB of that answer.', orNull(t.string)),
    failure: says(
      'Why there was no answer: `address_refused`, `timed_out`, or what the connection failed with.',
      orNull(t.string),
    ),
    duration_ms: says('How long the last attempt took.', orNull(count)),
    environment,
    created_at: createdAt,
  },
  'WebhookDelivery',
)
export type WebhookDelivery = t.TypeOf<typeof WebhookDelivery>
