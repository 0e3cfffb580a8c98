import type { Aggregate, EventType, RecordedEvent } from '@quittance/domain'
import { decodedBy } from '../decode.ts'
import type { Kept, Recall } from './memory.ts'

/** What has happened, and to which resource. */
export type PublicEventDraft = { readonly type: EventType; readonly resourceId: string }

/** The public events that one event of the log gives, in this order, and what later ones need to remember of it. */
export type Publication = { readonly drafts: ReadonlyArray<PublicEventDraft>; readonly kept: ReadonlyArray<Kept> }

/** Makes public events of an event of one category. `id` is what follows the category in its stream's name. */
export type Publisher = (event: RecordedEvent, id: string, recall: Recall) => Publication

export const nothing: Publication = { drafts: [], kept: [] }

export const publish = (type: EventType, resourceId: string): Publication => ({
  drafts: [{ type, resourceId }],
  kept: [],
})

export const remember = (...kept: ReadonlyArray<Kept>): Publication => ({ drafts: [], kept })

export const allOf = (...publications: ReadonlyArray<Publication>): Publication => ({
  drafts: publications.flatMap(({ drafts }) => drafts),
  kept: publications.flatMap(({ kept }) => kept),
})

/** The publisher of an aggregate's events, and the category of their streams. */
export const publisherOf = <Command, Event, State, Rejection>(
  aggregate: Aggregate<Command, Event, State, Rejection>,
  decide: (event: Event, id: string, recall: Recall) => Publication,
): readonly [category: string, publisher: Publisher] => {
  const decode = decodedBy(aggregate)
  return [aggregate.category, (recorded, id, recall) => decide(decode(recorded), id, recall)]
}

/** The publisher of events each of which gives, by its type alone, one public event of the stream's resource, or none. */
export const publisherByType = <Command, Event extends { readonly type: string }, State, Rejection>(
  aggregate: Aggregate<Command, Event, State, Rejection>,
  types: Readonly<Record<Event['type'], EventType | null>>,
): readonly [category: string, publisher: Publisher] =>
  publisherOf(aggregate, (event, id) => {
    const type: Event['type'] = event.type
    const published = types[type]
    return published === null ? nothing : publish(published, id)
  })

/** For events that stay private. Each is named, so that a new one needs a decision. */
export const silent = <Command, Event extends { readonly type: string }, State, Rejection>(
  { category }: Aggregate<Command, Event, State, Rejection>,
  _types: Readonly<Record<Event['type'], null>>,
): readonly [category: string, publisher: Publisher] => [category, () => nothing]
