import * as t from 'io-ts'

/** What is told to who listens, by resource. One business fact, one specific event. */
const actions = {
  customer: ['created', 'updated', 'deleted'],
  payment_method: ['created', 'deleted'],
  product: ['created', 'updated', 'archived'],
  checkout: ['created', 'completed', 'expired', 'failed'],
  payment: ['pending', 'confirmed', 'failed', 'partially_received', 'overpaid', 'late'],
  refund: ['created', 'succeeded', 'failed'],
  subscription: [
    'created',
    'trial_will_end',
    'activated',
    'renewed',
    'renewal_upcoming',
    'past_due',
    'recovered',
    'overdue',
    'paused',
    'resumed',
    'resume_failed',
    'updated',
    'cancellation_scheduled',
    'cancellation_undone',
    'canceled',
    'authorization_revoked',
    'authorization_expiring',
  ],
  access: ['granted', 'revoked'],
  credits: ['granted', 'consumed', 'depleted'],
  exception: ['opened', 'resolved'],
  webhook: ['disabled'],
} as const

type Actions = typeof actions
/** What is told of one business fact, such as `payment.confirmed`. */
export type EventType = { [R in keyof Actions]: `${R}.${Actions[R][number]}` }[keyof Actions]

const names: ReadonlyArray<string> = Object.entries(actions).flatMap(([resource, all]) =>
  all.map((action) => `${resource}.${action}`),
)

export const EventType = new t.Type<EventType, EventType, unknown>(
  'EventType',
  (input): input is EventType => typeof input === 'string' && names.includes(input),
  (input, context) => (EventType.is(input) ? t.success(input) : t.failure(input, context)),
  t.identity,
)

/** In the order in which they are documented. */
export const eventTypes: ReadonlyArray<EventType> = names.filter(EventType.is)

/** Everything an endpoint may ask for: each type of event, all of a subscription's, and all there are. */
export const eventSelectors: ReadonlySet<string> = new Set(['*', 'subscription.*', ...names])
