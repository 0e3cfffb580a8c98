import { randomUUID } from 'node:crypto'
import type { RecordedEvent } from '@quittance/domain'
import { right } from '@quittance/domain/testing'
import { type EventStore, type Filter, noEvents } from '../port.ts'
import { sampleEvent } from './sample.ts'

type Isolated = {
  readonly store: EventStore
  /** A stream's name in the outer store. */
  readonly nameOf: (stream: string) => string
  /** Another handle on the outer store, with the same isolation. */
  readonly within: (handle: EventStore) => EventStore
}

/**
 * Isolates a store within a shared one, such as a live server: stream names get a prefix, and the log starts at its
 * present end and shows only those streams.
 */
export const isolated = async (store: EventStore): Promise<Isolated> => {
  const prefix = `conformance-${randomUUID()}-`
  const nameOf = (stream: string): string => `${prefix}${stream}`
  const inside = (event: RecordedEvent): RecordedEvent => ({ ...event, stream: event.stream.slice(prefix.length) })
  const begin = right(await store.append(nameOf('begin'), noEvents, [sampleEvent('begin')])()).position
  const from = (after: bigint): bigint => (after > begin ? after : begin)
  const filterOf = (filter: Filter | undefined): Filter => ({
    streamPrefixes: filter === undefined ? [prefix] : filter.streamPrefixes.map(nameOf),
  })
  async function* insides(events: AsyncIterable<RecordedEvent>) {
    for await (const event of events) yield inside(event)
  }
  const mapped = <A extends { readonly events: ReadonlyArray<RecordedEvent> }>(answer: A): A => ({
    ...answer,
    events: answer.events.map(inside),
  })
  const within = (handle: EventStore): EventStore => ({
    readStream: (stream, first, direction) => async () => {
      const slice = await handle.readStream(nameOf(stream), first, direction)()
      return slice._tag === 'Left' ? slice : { ...slice, right: mapped(slice.right) }
    },
    append: (stream, head, events, alongside) => async () => {
      const outcome = await handle.append(nameOf(stream), head, events, alongside)()
      return outcome._tag === 'Left' ? outcome : { ...outcome, right: mapped(outcome.right) }
    },
    readAll: (after, filter) => insides(handle.readAll(from(after), filterOf(filter))),
    subscribe: (after, signal, filter) => insides(handle.subscribe(from(after), signal, filterOf(filter))),
  })
  return { store: within(store), nameOf, within }
}
