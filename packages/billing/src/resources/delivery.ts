import { idTime } from '@quittance/domain'
import type { Delivery } from '../stores/deliveries/delivery.ts'
import { timestamp, timestampOrNull } from './fields.ts'

/** One event on its way to one endpoint, as the interface shows it, with the result of its last attempt. */
export const deliveryResource = (delivery: Delivery) => {
  const { id, webhookId, eventId, eventType, status, attempts, answer, createdAt } = delivery
  return {
    id,
    object: 'webhook_delivery' as const,
    webhook_id: webhookId,
    event_id: eventId,
    event_type: eventType,
    status,
    attempts,
    first_attempt_at: timestampOrNull(delivery.firstAttemptAt),
    last_attempt_at: timestampOrNull(delivery.lastAttemptAt),
    next_attempt_at: timestampOrNull(delivery.dueAt),
    response_status: answer?.status ?? null,
    response_body: answer?.body ?? null,
    failure: answer?.failure ?? null,
    duration_ms: answer?.durationMs ?? null,
    environment: delivery.environment,
    created_at: timestamp(idTime(id) ?? createdAt),
  }
}
export type DeliveryResource = ReturnType<typeof deliveryResource>
