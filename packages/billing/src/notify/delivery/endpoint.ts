import {
  type HttpUrl,
  isSelected,
  type RecordedEvent,
  type Text,
  type UnixMs,
  unixMs,
  Webhook,
} from '@quittance/domain'
import { decodedBy, type PublicEvent, type Scope } from '@quittance/projections'
import { fold } from '../../kernel/fold.ts'
import type { Reads } from '../../resources/scopes.ts'
import { familyOf } from '../../resources/visible.ts'

/** An endpoint, read from its stream: its address, its secrets, and the events that it has selected over time. */
export type Endpoint = Scope & {
  readonly id: string
  readonly url: HttpUrl
  readonly isDisabled: boolean
  /** The names from which its valid secrets derive, newest first. */
  readonly secretNames: (now: UnixMs) => ReadonlyArray<Text>
  /** The position of its creation in the log. */
  readonly position: bigint
  /** When its creation occurred. Events that occurred earlier may stand behind it in the log. */
  readonly createdAt: UnixMs
  /** When it last changed. Earlier failures do not count. */
  readonly changedAt: UnixMs
  /** What everybody who chose its address may read. It receives nothing else, as long as it lives. */
  readonly reads: Reads
  /** Whether it receives an event, by its selection at the event's position. */
  readonly selects: (publicEvent: Pick<PublicEvent, 'type' | 'resourceId' | 'position'>) => boolean
}

type Choice = { readonly position: bigint; readonly selectors: ReadonlyArray<string> }

const decode = decodedBy(Webhook)

/** Null if the endpoint is deleted or never existed. `readsOf` answers what the actor of an event may read. */
export const endpointFrom = (
  id: string,
  events: ReadonlyArray<RecordedEvent>,
  readsOf: (actor: string) => Reads,
): Endpoint | null => {
  const [first, last] = [events[0], events.at(-1)]
  const state = fold(Webhook, events)
  if (first === undefined || last === undefined || state.status !== 'living') return null
  const choices = events.flatMap(chosenIn)
  const { merchantId, environment } = first.metadata
  const choosers = [...new Set(events.filter(choosesUrl).map(({ metadata }) => metadata.actor))].map(readsOf)
  const reads: Reads = (family) => choosers.every((each) => each(family))
  return {
    id,
    merchantId,
    environment,
    url: state.details.url,
    isDisabled: state.isDisabled,
    secretNames: (now) => [
      state.secretName,
      ...state.formerSecrets.filter(({ validUntil }) => validUntil > now).map(({ secretName }) => secretName),
    ],
    position: first.position,
    createdAt: unixMs(first.metadata.occurredAt),
    changedAt: unixMs(last.metadata.occurredAt),
    reads,
    selects: ({ type, resourceId, position }) => {
      const choice = choices.findLast((each) => each.position < position)
      // Only other endpoints hear that this one was disabled.
      if (choice === undefined || (type === 'webhook.disabled' && resourceId === id)) return false
      return reads(familyOf(type)) && isSelected(choice.selectors, type)
    },
  }
}

const choosesUrl = (recorded: RecordedEvent): boolean => {
  const event = decode(recorded)
  return event.type === 'WebhookCreated' || (event.type === 'WebhookChanged' && event.data.url !== undefined)
}

const chosenIn = (recorded: RecordedEvent): ReadonlyArray<Choice> => {
  const { position } = recorded
  const event = decode(recorded)
  if (event.type === 'WebhookCreated') return [{ position, selectors: event.data.details.events }]
  if (event.type === 'WebhookChanged' && event.data.events !== undefined)
    return [{ position, selectors: event.data.events }]
  return []
}
