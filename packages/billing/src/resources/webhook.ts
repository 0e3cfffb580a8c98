import type { Found, WebhookRow } from '@quittance/projections'
import { timestamp } from './fields.ts'

/** An endpoint as the interface shows it, without its secret, which is shown once. */
export const webhookResource = ({ id, environment, row }: Found<WebhookRow>) => {
  const { details, isDisabled, createdAt, updatedAt } = row
  return {
    id,
    object: 'webhook' as const,
    name: details.name,
    url: details.url,
    events: details.events,
    is_disabled: isDisabled,
    description: details.description,
    environment,
    created_at: timestamp(createdAt),
    updated_at: timestamp(updatedAt),
  }
}
export type WebhookResource = ReturnType<typeof webhookResource>
