import { webhooks } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { retrieveAnywhereLater, type StoreUnavailable } from '../../kernel/load.ts'
import { timestamp } from '../../resources/fields.ts'
import { webhookResource } from '../../resources/webhook.ts'
import type { Services } from '../../services/services.ts'
import type { Delivery } from '../../stores/deliveries/delivery.ts'
import { apiVersion } from '../public-events/render-public-event.ts'

/** What an endpoint is sent to try it out. It is no fact: nobody can ask for it, and no list of events holds it. */
export const testEvent = 'webhook.test'

/** In the shape of every event, about the endpoint itself. */
export const renderTest =
  ({ store }: Services) =>
  ({ webhookId, eventId, environment, createdAt, sequence }: Delivery): TE.TaskEither<StoreUnavailable, object> =>
    pipe(
      retrieveAnywhereLater(store)(webhooks, webhookId),
      TE.map(
        O.match(
          () => null,
          (found) => webhookResource(found),
        ),
      ),
      TE.map((data) => ({
        id: eventId,
        type: testEvent,
        timestamp: timestamp(createdAt),
        api_version: apiVersion,
        environment,
        resource_id: webhookId,
        sequence,
        data,
      })),
    )
