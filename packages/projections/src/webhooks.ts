import { Webhook, WebhookId, WebhookRecord } from '@quittance/domain'
import { type StateRow, stateModel } from './state-model.ts'

export type WebhookRow = StateRow<WebhookRecord>

export const webhooks = stateModel({
  name: 'webhooks',
  version: 2,
  aggregate: Webhook,
  record: WebhookRecord,
  ids: WebhookId,
  columns: ({ status }) => ({ status }),
})
