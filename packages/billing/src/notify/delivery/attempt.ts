import type { RecordedEvent } from '@quittance/domain'
import type { PublicEvent, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { deploymentTime } from '../../kernel/clock.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { isTracing } from '../../kernel/tracing/spans.ts'
import { familyOf } from '../../resources/visible.ts'
import { mayBeLoopback } from '../../services/loopback.ts'
import type { Delivery } from '../../stores/deliveries/delivery.ts'
import { renderPublicEvent } from '../public-events/render-public-event.ts'
import { webhookSecret } from '../webhooks/webhooks.ts'
import type { Endpoint } from './endpoint.ts'
import type { Outcome } from './outcome.ts'
import type { Sender } from './sending/sender.ts'
import { signedHeaders } from './sending/sign.ts'
import type { DeliveryServices } from './services.ts'
import { renderTest, testEvent } from './test-event.ts'
import { traceAttempt } from './trace-attempt.ts'

/** Finds an endpoint by its id; null if there is none. */
export type FindEndpoint = (webhookId: string) => TE.TaskEither<StoreUnavailable, Endpoint | null>

/** `isMeasured`: whether anybody asks how late events arrive. */
export type Sending = { readonly sender: Sender; readonly wallNow: () => number; readonly isMeasured: boolean }

/** Renders the body anew for each attempt, and sends it. Never rejects. */
export const attempt = (services: DeliveryServices, find: FindEndpoint, { sender, wallNow, isMeasured }: Sending) => {
  const { clock, vault, readModels, store } = services
  const renderEvent = renderPublicEvent(services)
  const publicEventOf = async (delivery: Delivery, scope: Scope): Promise<PublicEvent> => {
    const publicEvent = await readModels.publicEvents.withId(delivery.eventId)
    if (publicEvent === null) throw new Error(`${delivery.eventId} has a delivery and is no public event`)
    // Deliveries come with merchants of other installations, too.
    const isOwn = publicEvent.merchantId === scope.merchantId && publicEvent.environment === scope.environment
    if (!isOwn) throw new Error(`${delivery.eventId} is no event of the merchant of ${delivery.webhookId}`)
    return publicEvent
  }
  /** The event of the log that gave a public event; null where the log does not answer. */
  const recordedBehind = async ({ stream, revision }: PublicEvent): Promise<RecordedEvent | null> => {
    const slice = await store.readStream(stream, revision)()
    return E.isLeft(slice) ? null : (slice.right.events[0] ?? null)
  }
  const post = async (
    delivery: Delivery,
    endpoint: Endpoint,
    publicEvent: PublicEvent | null,
    recorded: RecordedEvent | null,
  ): Promise<Outcome> => {
    const { reads, environment, url } = endpoint
    const body =
      publicEvent === null ? await renderTest(services, delivery, reads) : await renderEvent(publicEvent, reads)
    if (E.isLeft(body)) return { _tag: 'NotMade', cause: body.left.cause }
    const text = JSON.stringify(body.right)
    const names = endpoint.secretNames(clock.now(environment))
    const secrets = await Promise.all(names.map((name) => webhookSecret(vault, name)))
    const [startedAt, begun] = [clock.now(environment), performance.now()]
    const result = await sender.post({
      url,
      headers: signedHeaders(delivery.eventId, wallNow(), text, secrets),
      body: text,
      mayBeLoopback: mayBeLoopback(services, environment),
    })()
    const durationMs = Math.round(performance.now() - begun)
    const isFirst = recorded !== null && delivery.kind === 'event'
    const delayMs = isFirst ? Math.max(0, deploymentTime(clock) - recorded.recordedAt) : null
    return { _tag: 'Attempted', endpoint, startedAt, durationMs, delayMs, result }
  }
  const send = async (delivery: Delivery): Promise<Outcome> => {
    const found = await find(delivery.webhookId)()
    if (E.isLeft(found)) return { _tag: 'NotMade', cause: found.left.cause }
    const endpoint = found.right
    if (endpoint === null || endpoint.isDisabled) return { _tag: 'Suspended' }
    const isTest = delivery.eventType === testEvent
    if (!isTest && !endpoint.reads(familyOf(delivery.eventType))) return { _tag: 'Withheld' }
    const publicEvent = isTest ? null : await publicEventOf(delivery, endpoint)
    const isRead = publicEvent !== null && (isMeasured || isTracing())
    const recorded = isRead ? await recordedBehind(publicEvent) : null
    return traceAttempt(delivery, recorded, () => post(delivery, endpoint, publicEvent, recorded))
  }
  return (delivery: Delivery): Promise<Outcome> => send(delivery).catch((cause) => ({ _tag: 'NotMade', cause }))
}
