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
import { fold } from '../../kernel/execute.ts'

/**
 * An endpoint as its stream tells of it: where it is, what signs, and what it was told to be told of, and since when.
 */
export type Endpoint = Scope & {
  readonly id: string
  readonly url: HttpUrl
  readonly isDisabled: boolean
  /** What its secrets are derived from, the newest first, as of a moment. */
  readonly secretNames: (now: UnixMs) => ReadonlyArray<Text>
  /** Where in the log it was made. */
  readonly position: bigint
  /** By the time of its fact: what happened earlier may stand behind it in the log. */
  readonly createdAt: UnixMs
  /** When somebody last changed it: what failed before says little. */
  readonly changedAt: UnixMs
  /** Whether it is told of something: only of what came after it, and by what it asked for at that time. */
  readonly selects: (publicEvent: Pick<PublicEvent, 'type' | 'resourceId' | 'position'>) => boolean
}

type Choice = { readonly position: bigint; readonly selectors: ReadonlyArray<string> }

const decode = decodedBy(Webhook)

/** Null for one that is deleted, or that there never was. */
export const endpointFrom = (id: string, events: ReadonlyArray<RecordedEvent>): Endpoint | null => {
  const [first, last] = [events[0], events.at(-1)]
  const state = fold(Webhook, events)
  if (first === undefined || last === undefined || state.status !== 'living') return null
  const choices = events.flatMap(chosenIn)
  const { merchantId, environment } = first.metadata
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
    selects: ({ type, resourceId, position }) => {
      const choice = choices.findLast((each) => each.position < position)
      // That it is disabled itself is told to the others.
      if (choice === undefined || (type === 'webhook.disabled' && resourceId === id)) return false
      return isSelected(choice.selectors, type)
    },
  }
}

const chosenIn = (recorded: RecordedEvent): ReadonlyArray<Choice> => {
  const { position } = recorded
  const event = decode(recorded)
  if (event.type === 'WebhookCreated') return [{ position, selectors: event.data.details.events }]
  if (event.type === 'WebhookChanged' && event.data.events !== undefined)
    return [{ position, selectors: event.data.events }]
  return []
}
