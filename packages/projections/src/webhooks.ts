import { Webhook, WebhookId, WebhookRecord } from '@quittance/domain'
import { type StateRow, stateModel } from './state-model.ts'

/** An endpoint as its row holds it, with when it was made and last changed. */
export type WebhookRow = StateRow<WebhookRecord>

/** The read model of endpoints. */
export const webhooks = stateModel({
  name: 'webhooks',
  version: 2,
  aggregate: Webhook,
  record: WebhookRecord,
  ids: WebhookId,
  columns: ({ status }) => ({ status }),
})
