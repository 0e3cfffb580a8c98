import { webhooks } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { retrieveAnywhere, type StoreUnavailable } from '../../kernel/load.ts'
import { timestamp } from '../../resources/fields.ts'
import type { Reads } from '../../resources/scopes.ts'
import { webhookResource } from '../../resources/webhook.ts'
import type { Services } from '../../services/services.ts'
import type { Delivery } from '../../stores/deliveries/delivery.ts'
import { apiVersion } from '../public-events/render-public-event.ts'

/** The type of test events. They record nothing: they cannot be retrieved, and no list of events holds them. */
export const testEvent = 'webhook.test'

/** A test event has the shape of every event, and its resource is the endpoint itself, or its name if it may not read it. */
export const renderTest = async (
  { store }: Pick<Services, 'store'>,
  { webhookId, eventId, environment, createdAt, sequence }: Delivery,
  reads: Reads,
): Promise<E.Either<StoreUnavailable, object>> => {
  const webhook = await retrieveAnywhere(store)(webhooks, webhookId)
  if (E.isLeft(webhook)) return webhook
  return E.right({
    id: eventId,
    type: testEvent,
    timestamp: timestamp(createdAt),
    api_version: apiVersion,
    environment,
    resource_id: webhookId,
    sequence,
    data: reads('webhooks')
      ? O.toNullable(O.map(webhookResource)(webhook.right))
      : { id: webhookId, object: 'webhook' as const },
  })
}
