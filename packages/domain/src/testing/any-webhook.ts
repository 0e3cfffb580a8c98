import fc from 'fast-check'
import { asText, HttpUrl } from '../shared/text.ts'
import type { WebhookCommand, WebhookEvent } from '../webhook/index.ts'
import { type ByType, event } from './any-event.ts'
import * as some from './arbitraries.ts'
import { decoded, start } from './examples.ts'

const one = fc.constantFrom
const aName = one(asText('a'), asText('b'))
const details = {
  name: aName,
  url: one(decoded(HttpUrl, 'https://a.example'), decoded(HttpUrl, 'http://127.0.0.1')),
  events: one([asText('*')], [asText('payment.late')], []),
  description: some.orNothing(aName),
}
const anyAllowed = one('https' as const, 'https or loopback' as const)

const anyReason = one('gone' as const, 'failing' as const)

const command = <const Type extends string, Fields>(type: Type, fields: fc.Arbitrary<Fields>) =>
  fields.map((each) => ({ type, ...each }))

export const anyWebhookCommand: fc.Arbitrary<WebhookCommand> = fc.oneof(
  command(
    'CreateWebhook',
    some.record({ details: some.record(details), secretName: aName, allowed: anyAllowed, others: one(0, 15, 16) }),
  ),
  command(
    'UpdateWebhook',
    some.record({ changed: some.partial(details), isDisabled: fc.boolean(), allowed: anyAllowed }),
  ),
  command('RotateSecret', some.record({ secretName: aName, at: fc.constant(start) })),
  command('DisableWebhook', some.record({ reason: anyReason, url: details.url })),
  fc.constant({ type: 'DeleteWebhook' as const }),
)

const anyDetails = {
  name: some.anyText,
  url: some.anyUrl,
  events: fc.array(some.anyText, { maxLength: 3 }),
  description: some.orNothing(some.anyText),
}
const webhookEvents: ByType<WebhookEvent> = {
  WebhookCreated: event('WebhookCreated', some.record({ details: some.record(anyDetails), secretName: some.anyText })),
  WebhookChanged: event('WebhookChanged', some.partial(anyDetails)),
  WebhookDisabled: event('WebhookDisabled', some.partial({ reason: anyReason })),
  WebhookEnabled: event('WebhookEnabled', fc.constant({})),
  WebhookSecretRotated: event(
    'WebhookSecretRotated',
    some.record({ secretName: some.anyText, formerValidUntil: some.anyTime }),
  ),
  WebhookDeleted: event('WebhookDeleted', fc.constant({})),
}
export const anyWebhookEvent: fc.Arbitrary<WebhookEvent> = fc.oneof(...Object.values(webhookEvents))
