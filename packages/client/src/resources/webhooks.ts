import type * as t from 'io-ts'
import type { CallOptions, CommandOptions, Connection } from '../connection.ts'
import { type Listing, type ListQuery, listing } from '../listing.ts'
import type { RequestBody } from '../request-body.ts'
import { data } from '../response.ts'
import {
  type ChangedWebhook,
  DeletedWebhook,
  type HistoryEntry,
  type NewWebhook,
  Webhook,
  WebhookDelivery,
  WebhookWithSecret,
} from '../wire/index.ts'
import { type HistoryQuery, historyAt } from './history.ts'

type WithSecret = t.TypeOf<typeof WebhookWithSecret>

export const webhooksOf = (connection: Connection) => {
  const { ask } = connection
  const answer = data(Webhook)
  return {
    /** Only this answer contains the secret. */
    create: (body: RequestBody<typeof NewWebhook>, options?: CommandOptions): Promise<WithSecret> =>
      ask({ method: 'POST', path: ['webhooks'], body, answer: data(WebhookWithSecret), isCommand: true }, options),
    retrieve: (id: string, options?: CallOptions): Promise<Webhook> =>
      ask({ method: 'GET', path: ['webhooks', id], answer }, options),
    update: (id: string, body: RequestBody<typeof ChangedWebhook>, options?: CommandOptions): Promise<Webhook> =>
      ask({ method: 'PUT', path: ['webhooks', id], body, answer, isCommand: true }, options),
    delete: (id: string, options?: CommandOptions): Promise<t.TypeOf<typeof DeletedWebhook>> =>
      ask({ method: 'DELETE', path: ['webhooks', id], answer: data(DeletedWebhook), isCommand: true }, options),
    /** Creates a new secret; the previous one also signs for 24 hours. */
    rotateSecret: (id: string, options?: CommandOptions): Promise<WithSecret> => {
      const path = ['webhooks', id, 'rotate_secret']
      return ask({ method: 'POST', path, answer: data(WebhookWithSecret), isCommand: true }, options)
    },
    list: (query: ListQuery = {}, options?: CallOptions): Listing<Webhook> =>
      listing(connection, ['webhooks'], Webhook, query, options),
    /** What happened to it and to what belongs to it, oldest first. */
    history: (id: string, query?: HistoryQuery, options?: CallOptions): Listing<HistoryEntry> =>
      historyAt(connection, ['webhooks', id, 'history'], query, options),
    /** Pending deliveries, and those ended in the last 30 days. */
    deliveries: (id: string, query: ListQuery = {}, options?: CallOptions): Listing<WebhookDelivery> =>
      listing(connection, ['webhooks', id, 'deliveries'], WebhookDelivery, query, options),
    /** Delivers an event once more, whatever the outcome of this delivery. */
    redeliver: (id: string, deliveryId: string, options?: CommandOptions): Promise<WebhookDelivery> => {
      const path = ['webhooks', id, 'deliveries', deliveryId, 'redeliver']
      return ask({ method: 'POST', path, answer: data(WebhookDelivery), isCommand: true }, options)
    },
    /** Delivers a test event. */
    test: (id: string, options?: CommandOptions): Promise<WebhookDelivery> =>
      ask({ method: 'POST', path: ['webhooks', id, 'test'], answer: data(WebhookDelivery), isCommand: true }, options),
  }
}
