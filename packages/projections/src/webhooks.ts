import { type RecordedEvent, UnixMs, unixMs, Webhook, WebhookDetails, WebhookId } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/** An endpoint that is told of events. */
export const WebhookRow = t.strict({
  details: WebhookDetails,
  isDisabled: t.boolean,
  status: t.keyof({ living: null, deleted: null }),
  createdAt: UnixMs,
  updatedAt: UnixMs,
})
export type WebhookRow = t.TypeOf<typeof WebhookRow>

const decode = decodedBy(Webhook)

const fold = (row: O.Option<WebhookRow>, recorded: RecordedEvent): O.Option<WebhookRow> => {
  const at = unixMs(recorded.metadata.occurredAt)
  const event = decode(recorded)
  const patch = (change: (row: WebhookRow) => Partial<WebhookRow>) =>
    O.map((known: WebhookRow) => ({ ...known, ...change(known), updatedAt: at }))(row)
  switch (event.type) {
    case 'WebhookCreated':
      return O.some({
        details: event.data.details,
        isDisabled: false,
        status: 'living',
        createdAt: at,
        updatedAt: at,
      })
    case 'WebhookChanged':
      return patch(({ details }) => ({ details: { ...details, ...event.data } }))
    case 'WebhookDisabled':
      return patch(() => ({ isDisabled: true }))
    case 'WebhookEnabled':
      return patch(() => ({ isDisabled: false }))
    case 'WebhookSecretRotated':
      return patch(() => ({}))
    case 'WebhookDeleted':
      return patch(() => ({ status: 'deleted' }))
  }
}

export const webhooks: ReadModel<WebhookRow> = {
  name: 'webhooks',
  version: 1,
  category: Webhook.category,
  row: WebhookRow,
  ids: WebhookId,
  fold,
  columns: ({ status }) => ({ status }),
}
