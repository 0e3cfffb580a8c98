import { eventSelectors } from '@quittance/domain'
import { busy, gone, type Problems } from './problem.ts'

export const webhookProblems = {
  EventNotFound: () => gone('event'),
  ScopeMissing: ({ scope, event }) => [
    403,
    'scope_missing',
    `The app token lacks the scope ${scope}, which "${event}" needs`,
    'events',
  ],
  WebhookNotFound: () => gone('webhook'),
  DeliveryNotFound: () => gone('delivery'),
  WebhookAlreadyExists: () => busy,
  TooManyEndpoints: ({ most }) => [
    409,
    'too_many_endpoints',
    `At most ${most} endpoints are allowed in each environment: delete one first`,
    undefined,
    'webhooks',
  ],
  WebhookUrlNotHttps: () => [
    400,
    'invalid_request',
    '"url" must be an https address; in the sandbox, http to 127.0.0.1 will do',
    'url',
  ],
  WebhookUrlHasCredentials: () => [400, 'invalid_request', '"url" must not hold a user or a password', 'url'],
  WebhookEventsEmpty: () => [400, 'invalid_request', '"events" must hold at least one type of event', 'events'],
  WebhookEventUnknown: () => [
    400,
    'invalid_request',
    `"events" may hold ${[...eventSelectors].join(', ')}, and nothing else`,
    'events',
  ],
} satisfies Partial<Problems>
