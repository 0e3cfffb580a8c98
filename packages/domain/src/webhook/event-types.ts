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

/** Everything an endpoint may ask for: each type of event, all of a subscription's, and all there are. */
export const eventSelectors: ReadonlySet<string> = new Set([
  '*',
  'subscription.*',
  ...Object.entries(actions).flatMap(([resource, all]) => all.map((action) => `${resource}.${action}`)),
])
