import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { WebhookCommand } from './commands.ts'
import { decide } from './decide.ts'
import { WebhookEvent } from './events.ts'
import type { WebhookRejection } from './rejections.ts'
import { evolve, initial, type WebhookState } from './state.ts'

/** The rules of an endpoint, and how its events are written and read. */
export const Webhook: Aggregate<WebhookCommand, WebhookEvent, WebhookState, WebhookRejection> = {
  category: 'webhook',
  decider: { initial, evolve, decide },
  events: eventFormat(WebhookEvent),
}

export { type EventResource, EventType, type EventTypeOf, eventSelectors, isEventOf } from '../shared/event-types.ts'
export type { AllowedUrls, WebhookChanges, WebhookCommand } from './commands.ts'
export { mostEndpoints } from './decide.ts'
export { type DisabledReason, WebhookDetails, type WebhookEvent } from './events.ts'
export { isSelected } from './is-selected.ts'
export { isLoopbackHost } from './loopback.ts'
export type { WebhookRejection } from './rejections.ts'
export { WebhookRecord, type WebhookState } from './state.ts'
