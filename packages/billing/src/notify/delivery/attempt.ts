import type { RecordedEvent, UnixMs } from '@quittance/domain'
import type { PublicEvent } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { isTracing } from '../../kernel/tracing/spans.ts'
import { familyOf } from '../../resources/visible.ts'
import { mayBeLoopback } from '../../services/loopback.ts'
import type { Delivery } from '../../stores/deliveries/delivery.ts'
import { renderPublicEvent } from '../public-events/render-public-event.ts'
import { webhookSecret } from '../webhooks/webhooks.ts'
import type { Endpoint } from './endpoint.ts'
import type { PostResult, Sender } from './sending/sender.ts'
import { signedHeaders } from './sending/sign.ts'
import type { DeliveryServices } from './services.ts'
import { renderTest, testEvent } from './test-event.ts'
import { traceAttempt } from './trace-attempt.ts'

export type Attempted = {
  readonly _tag: 'Attempted'
  readonly endpoint: Endpoint
  readonly startedAt: UnixMs
  readonly durationMs: number
  readonly result: PostResult
}

export type Outcome =
  | Attempted
  /** The endpoint was deleted or disabled since. */
  | { readonly _tag: 'Suspended' }
  /** Those who chose its address may not read the event. */
  | { readonly _tag: 'Withheld' }
  /** Nothing was sent, because the body could not be made. `cause` is a failure of the store, or a defect. */
  | { readonly _tag: 'NotMade'; readonly cause: unknown }

/** Finds an endpoint by its id; null if there is none. */
export type FindEndpoint = (webhookId: string) => TE.TaskEither<StoreUnavailable, Endpoint | null>

export type Sending = { readonly sender: Sender; readonly wallNow: () => number }

/** Renders the body anew for each attempt, and sends it. Never rejects. */
export const attempt = (services: DeliveryServices, find: FindEndpoint, { sender, wallNow }: Sending) => {
  const { clock, vault, readModels, store } = services
  const renderEvent = renderPublicEvent(services)
  const publicEventOf = async (delivery: Delivery): Promise<PublicEvent> => {
    const publicEvent = await readModels.publicEvents.withId(delivery.eventId)
    if (publicEvent === null) throw new Error(`${delivery.eventId} has a delivery and is no public event`)
    return publicEvent
  }
  const bodyOf = async (
    delivery: Delivery,
    { reads, ...scope }: Endpoint,
  ): Promise<E.Either<StoreUnavailable, object>> => {
    if (delivery.eventType === testEvent) return renderTest(services, delivery, reads)
    const publicEvent = await publicEventOf(delivery)
    // Deliveries come with merchants of other installations, too.
    const isOwn = publicEvent.merchantId === scope.merchantId && publicEvent.environment === scope.environment
    if (!isOwn) throw new Error(`${delivery.eventId} is no event of the merchant of ${delivery.webhookId}`)
    return renderEvent(publicEvent, reads)
  }
  const send = async (delivery: Delivery): Promise<Outcome> => {
    const found = await find(delivery.webhookId)()
    if (E.isLeft(found)) return { _tag: 'NotMade', cause: found.left.cause }
    const endpoint = found.right
    if (endpoint === null || endpoint.isDisabled) return { _tag: 'Suspended' }
    const isReadable = delivery.eventType === testEvent || endpoint.reads(familyOf(delivery.eventType))
    if (!isReadable) return { _tag: 'Withheld' }
    const body = await bodyOf(delivery, endpoint)
    if (E.isLeft(body)) return { _tag: 'NotMade', cause: body.left.cause }
    const text = JSON.stringify(body.right)
    const names = endpoint.secretNames(clock.now(endpoint.environment))
    const secrets = await Promise.all(names.map((name) => webhookSecret(vault, name)))
    const [startedAt, begun] = [clock.now(endpoint.environment), performance.now()]
    const result = await sender.post({
      url: endpoint.url,
      headers: signedHeaders(delivery.eventId, wallNow(), text, secrets),
      body: text,
      mayBeLoopback: mayBeLoopback(services, endpoint.environment),
    })()
    return { _tag: 'Attempted', endpoint, startedAt, durationMs: Math.round(performance.now() - begun), result }
  }
  /** The event of the log behind a delivery; null for a test. */
  const eventOf = async (delivery: Delivery): Promise<RecordedEvent | null> => {
    if (delivery.eventType === testEvent) return null
    const { stream, revision } = await publicEventOf(delivery)
    const slice = await store.readStream(stream, revision)()
    return E.isLeft(slice) ? null : (slice.right.events[0] ?? null)
  }
  const sendTraced = async (delivery: Delivery): Promise<Outcome> =>
    isTracing() ? traceAttempt(delivery, await eventOf(delivery), () => send(delivery)) : send(delivery)
  return (delivery: Delivery): Promise<Outcome> => sendTraced(delivery).catch((cause) => ({ _tag: 'NotMade', cause }))
}
