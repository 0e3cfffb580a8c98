import * as t from 'io-ts'

/** The types of public events, by resource. Each business fact has one specific type. */
const actions = {
  customer: ['created', 'updated', 'merged', 'deleted'],
  payment_method: ['created', 'deleted'],
  product: ['created', 'updated', 'archived'],
  checkout: ['created', 'completed', 'expired', 'failed'],
  payment: ['pending', 'confirmed', 'failed', 'partially_received', 'overpaid', 'late'],
  refund: ['created', 'waiting', 'succeeded', 'failed'],
  payout: ['created', 'succeeded', 'failed', 'canceled'],
  payout_destination: ['created', 'verified', 'deleted'],
  approval: ['requested', 'approved', 'rejected', 'expired', 'withdrawn'],
  limits: ['changed'],
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
    'authorization_requested',
    'price_change_announced',
    'price_change_accepted',
    'price_changed',
    'price_change_refused',
    'price_change_withdrawn',
  ],
  price_change: ['scheduled', 'canceled'],
  access: ['granted', 'revoked'],
  credits: ['granted', 'consumed', 'depleted'],
  exception: ['opened', 'return_waiting', 'resolved'],
  webhook: ['disabled'],
} as const

type Actions = typeof actions
/** What an event is about. */
export type EventResource = keyof Actions
/** The type of a public event, such as `payment.confirmed`. */
export type EventType = { [R in EventResource]: `${R}.${Actions[R][number]}` }[EventResource]

const names: ReadonlyArray<string> = Object.entries(actions).flatMap(([resource, all]) =>
  all.map((action) => `${resource}.${action}`),
)

const isEventType = (input: unknown): input is EventType => typeof input === 'string' && names.includes(input)

export const EventType = new t.Type<EventType, EventType, unknown>(
  'EventType',
  isEventType,
  (input, context) => (isEventType(input) ? t.success(input) : t.failure(input, context)),
  t.identity,
)

/** In the order in which they are documented. */
export const eventTypes: ReadonlyArray<EventType> = names.filter(isEventType)

/** The public events of a resource other than its updates, which alone carry previous values. */
export type EventTypeOf<R extends EventResource> = Exclude<Extract<EventType, `${R}.${string}`>, `${R}.updated`>

/** Whether a type of event is about a resource and is not its update. */
export const isEventOf = <R extends EventResource>(resource: R, type: EventType): type is EventTypeOf<R> =>
  type.startsWith(`${resource}.`) && type !== `${resource}.updated`

/** Everything an endpoint may ask for: each type of event, all of a subscription's, and all there are. */
export const eventSelectors: ReadonlySet<string> = new Set(['*', 'subscription.*', ...names])
