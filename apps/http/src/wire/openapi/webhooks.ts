import { Event, type JsonSchema, TestEvent } from '@quittance/client/wire'
import { eventTypes } from '@quittance/domain/values'
import type * as t from 'io-ts'
import { json } from './answers.ts'
import type { NamedSchemas } from './json-schema.ts'
import { eventWords } from './operations/event-words.ts'
import { webhooks as section } from './operations/events.ts'

/** A delivery in the reference: what the service sends to endpoints. */
export type WebhookOperation = {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly summary: string
  readonly description: string
  readonly parameters: ReadonlyArray<JsonSchema>
  readonly requestBody: JsonSchema
  readonly responses: Readonly<Record<string, { readonly description: string }>>
  readonly security: ReadonlyArray<never>
}

/** The deliveries by type of event. */
export const webhooksOf = (named: NamedSchemas): Readonly<Record<string, { readonly post: WebhookOperation }>> => {
  const events = eventTypes.map((type) => {
    const codec = Event.types.find(({ props }) => props.type.is(type))
    if (codec === undefined) throw new Error(`no event is of type ${type}`)
    return [type, { post: delivery(type, eventWords[type], codec, named) }] as const
  })
  const test = delivery('webhook.test', 'An endpoint is tried out', TestEvent, named)
  return Object.fromEntries([...events, ['webhook.test', { post: test }]])
}

const delivery = (type: string, summary: string, codec: t.Mixed, named: NamedSchemas): WebhookOperation => {
  const { schema, example } = json(codec, named, { type: [type], status: statusesAfter(type) })
  const only = { type: 'object', properties: { type: { const: type, description: 'What has happened.' } } }
  return {
    operationId: `on${type.split(/[._]/).map(capitalized).join('')}`,
    tags: [section.tag],
    summary,
    description: `Sent to every endpoint that has selected \`${type}\`. Verify the signature before you believe the body.`,
    parameters: Object.keys(webhookHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { allOf: [schema, only] }, example } },
    },
    responses: {
      '2XX': { description: 'Delivered' },
      '410': { description: 'The endpoint is gone: it is disabled, and gets nothing more' },
      default: { description: 'Not delivered, as without an answer in 20 seconds: further attempts follow' },
    },
    security: [],
  }
}

/** How a resource may stand after an event, best first: examples have the first of these that its status can be. */
const statusesAfter = (type: string): ReadonlyArray<string> =>
  mostly[type] ?? [type.slice(type.indexOf('.') + 1), 'active']

const mostly: Readonly<Record<string, ReadonlyArray<string>>> = {
  'payment.overpaid': ['confirmed'],
  'payment.late': ['confirmed'],
  'subscription.trial_will_end': ['trialing'],
  'subscription.resume_failed': ['paused'],
}

const capitalized = (word: string): string => `${word[0]?.toUpperCase()}${word.slice(1)}`

/** The headers of every delivery, by Standard Webhooks. */
export const webhookHeaders: Readonly<Record<string, JsonSchema>> = {
  WebhookId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'The id of the event, the same on every attempt: drop what you have seen.',
    schema: { type: 'string' },
    example: 'evt_7nQe4Cw0XbDq1yLZs5Tt0u',
  },
  WebhookTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'When the attempt was made, in seconds since 1970. Refuse what is older than five minutes.',
    schema: { type: 'integer' },
    example: 1795255200,
  },
  WebhookSignature: {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      'HMAC-SHA256 with the secret of the endpoint over id, timestamp and raw body, joined by dots: `v1,` and base64. Separated by spaces if there are several.',
    schema: { type: 'string', pattern: '^v1,[A-Za-z0-9+/]+=*( v1,[A-Za-z0-9+/]+=*)*$' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
}
