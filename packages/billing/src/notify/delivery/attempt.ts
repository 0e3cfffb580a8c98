import type { PublicEvent, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { deploymentTime } from '../../kernel/clock.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { familyOf } from '../../resources/visible.ts'
import { mayBeLoopback } from '../../services/loopback.ts'
import type { Delivery } from '../../stores/deliveries/delivery.ts'
import { type History, historyOf } from '../public-events/as-of.ts'
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

export type Sending = { readonly sender: Sender; readonly wallNow: () => number }

/** A public event, and what its body is rendered from, of which the last event is the one that gave it. */
type Told = { readonly publicEvent: PublicEvent; readonly history: History }

/** Renders the body anew for each attempt, and sends it. Never rejects. */
export const attempt = (services: DeliveryServices, find: FindEndpoint, { sender, wallNow }: Sending) => {
  const { clock, vault, readModels } = services
  const renderEvent = renderPublicEvent(services)
  const publicEventOf = async (delivery: Delivery, scope: Scope): Promise<PublicEvent> => {
    const publicEvent = await readModels.publicEvents.withId(delivery.eventId)
    if (publicEvent === null) throw new Error(`${delivery.eventId} has a delivery and is no public event`)
    // Deliveries come with merchants of other installations, too.
    const isOwn = publicEvent.merchantId === scope.merchantId && publicEvent.environment === scope.environment
    if (!isOwn) throw new Error(`${delivery.eventId} is no event of the merchant of ${delivery.webhookId}`)
    return publicEvent
  }
  const post = async (delivery: Delivery, endpoint: Endpoint, event: Told | null): Promise<Outcome> => {
    const { reads, environment, url } = endpoint
    const body =
      event === null
        ? await renderTest(services, delivery, reads)
        : await renderEvent(event.publicEvent, event.history, reads)
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
    const recorded = delivery.kind === 'event' ? event?.history.at(-1) : undefined
    const delayMs = recorded === undefined ? null : Math.max(0, deploymentTime(clock) - recorded.recordedAt)
    return { _tag: 'Attempted', endpoint, startedAt, durationMs, delayMs, result }
  }
  const send = async (delivery: Delivery): Promise<Outcome> => {
    const found = await find(delivery.webhookId)()
    if (E.isLeft(found)) return { _tag: 'NotMade', cause: found.left.cause }
    const endpoint = found.right
    if (endpoint === null || endpoint.isDisabled) return { _tag: 'Suspended' }
    if (delivery.eventType === testEvent) return traceAttempt(delivery, null, () => post(delivery, endpoint, null))
    if (!endpoint.reads(familyOf(delivery.eventType))) return { _tag: 'Withheld' }
    const publicEvent = await publicEventOf(delivery, endpoint)
    const history = await historyOf(services, publicEvent)
    if (E.isLeft(history)) {
      const { cause } = history.left
      return traceAttempt(delivery, null, async () => ({ _tag: 'NotMade', cause }))
    }
    const event = { publicEvent, history: history.right }
    return traceAttempt(delivery, event.history.at(-1) ?? null, () => post(delivery, endpoint, event))
  }
  return (delivery: Delivery): Promise<Outcome> => send(delivery).catch((cause) => ({ _tag: 'NotMade', cause }))
}
