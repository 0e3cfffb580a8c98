import type * as t from 'io-ts'
import { data } from '../answer.ts'
import type { CallOptions, CommandOptions, Connection } from '../connection.ts'
import { type Listing, type ListQuery, listing } from '../listing.ts'
import type { Sent } from '../sent.ts'
import {
  type ChangedWebhook,
  DeletedWebhook,
  type NewWebhook,
  Webhook,
  WebhookDelivery,
  WebhookWithSecret,
} from '../wire/index.ts'

type WithSecret = t.TypeOf<typeof WebhookWithSecret>

export const webhooksOf = (connection: Connection) => {
  const { ask } = connection
  const answer = data(Webhook)
  return {
    /** Its secret is shown here alone. */
    create: (body: Sent<typeof NewWebhook>, options?: CommandOptions): Promise<WithSecret> =>
      ask({ method: 'POST', path: ['webhooks'], body, answer: data(WebhookWithSecret), isCommand: true }, options),
    retrieve: (id: string, options?: CallOptions): Promise<Webhook> =>
      ask({ method: 'GET', path: ['webhooks', id], answer }, options),
    update: (id: string, body: Sent<typeof ChangedWebhook>, options?: CommandOptions): Promise<Webhook> =>
      ask({ method: 'PUT', path: ['webhooks', id], body, answer, isCommand: true }, options),
    delete: (id: string, options?: CommandOptions): Promise<t.TypeOf<typeof DeletedWebhook>> =>
      ask({ method: 'DELETE', path: ['webhooks', id], answer: data(DeletedWebhook), isCommand: true }, options),
    /** Makes a new secret; the one before signs as well for 24 hours. */
    rotateSecret: (id: string, options?: CommandOptions): Promise<WithSecret> => {
      const path = ['webhooks', id, 'rotate_secret']
      return ask({ method: 'POST', path, answer: data(WebhookWithSecret), isCommand: true }, options)
    },
    list: (query: ListQuery = {}, options?: CallOptions): Listing<Webhook> =>
      listing(connection, ['webhooks'], Webhook, query, options),
    /** What is on its way to it, and what ended in the last 30 days. */
    deliveries: (id: string, query: ListQuery = {}, options?: CallOptions): Listing<WebhookDelivery> =>
      listing(connection, ['webhooks', id, 'deliveries'], WebhookDelivery, query, options),
    /** Delivers an event once more, whatever became of this delivery of it. */
    redeliver: (id: string, deliveryId: string, options?: CommandOptions): Promise<WebhookDelivery> => {
      const path = ['webhooks', id, 'deliveries', deliveryId, 'redeliver']
      return ask({ method: 'POST', path, answer: data(WebhookDelivery), isCommand: true }, options)
    },
    /** Delivers something that has not happened, to try it out. */
    test: (id: string, options?: CommandOptions): Promise<WebhookDelivery> =>
      ask({ method: 'POST', path: ['webhooks', id, 'test'], answer: data(WebhookDelivery), isCommand: true }, options),
  }
}
