import type { Aggregate, EventType, RecordedEvent } from '@quittance/domain'
import { decodedBy } from '../decode.ts'
import type { Kept, Recall } from './memory.ts'

/** One thing to tell: what has happened, and to which resource. */
export type Told = { readonly type: EventType; readonly resourceId: string }

/** What one event of the log gives to tell, in this order, and what is to be remembered for events to come. */
export type Telling = { readonly told: ReadonlyArray<Told>; readonly kept: ReadonlyArray<Kept> }

/** Decides what an event of one category tells. `id` is what follows the category in its stream's name. */
export type Teller = (event: RecordedEvent, id: string, recall: Recall) => Telling

export const nothing: Telling = { told: [], kept: [] }

export const tell = (type: EventType, resourceId: string): Telling => ({ told: [{ type, resourceId }], kept: [] })

export const both = (...tellings: ReadonlyArray<Telling>): Telling => ({
  told: tellings.flatMap(({ told }) => told),
  kept: tellings.flatMap(({ kept }) => kept),
})

/** The teller of an aggregate's events, and the category that they stand in. */
export const teller = <Command, Event, State, Rejection>(
  aggregate: Aggregate<Command, Event, State, Rejection>,
  decide: (event: Event, id: string, recall: Recall) => Telling,
): readonly [category: string, teller: Teller] => {
  const decode = decodedBy(aggregate)
  return [aggregate.category, (recorded, id, recall) => decide(decode(recorded), id, recall)]
}

/** The teller of events each of which, by its type alone, tells one thing of the stream's own resource, or null: nothing. */
export const plainTeller = <Command, Event extends { readonly type: string }, State, Rejection>(
  aggregate: Aggregate<Command, Event, State, Rejection>,
  types: Readonly<Record<Event['type'], EventType | null>>,
): readonly [category: string, teller: Teller] =>
  teller(aggregate, (event, id) => {
    const type: Event['type'] = event.type
    const told = types[type]
    return told === null ? nothing : tell(told, id)
  })

/** Of events that nobody is told of: each is named, so that a new one is decided about. */
export const silent = <Command, Event extends { readonly type: string }, State, Rejection>(
  { category }: Aggregate<Command, Event, State, Rejection>,
  _types: Readonly<Record<Event['type'], null>>,
): readonly [category: string, teller: Teller] => [category, () => nothing]
