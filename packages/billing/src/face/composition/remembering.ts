import type { EventStore, ReadFailure, StreamSlice } from '@quittance/event-store'
import type { SqliteEventStore } from '@quittance/event-store/sqlite'
import { type ReadModels, readModels } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { type Changes, changesIn, whileUnchanged } from './while-unchanged.ts'

type Kept = { readonly slice: StreamSlice; readonly at: number }

/** The limit over all streams: some ten megabytes. */
const mostEvents = 5_000
const longestStream = 50

/**
 * A store over a file that caches short streams. While nothing is committed to the file, a cached stream is current.
 * Afterwards only the events after its head are read: a stream that still holds the event with the head's revision and
 * hash also holds everything before it. An unchanged stream is answered as the same object.
 */
const rememberingStore = (store: EventStore, changes: Changes): EventStore => {
  const kept = new Map<string, Kept>()
  let held = 0
  const keep = (stream: string, slice: StreamSlice, at: number): void => {
    held -= kept.get(stream)?.slice.events.length ?? 0
    kept.delete(stream)
    const { length } = slice.events
    if (length === 0 || length > longestStream) return
    if (held + length > mostEvents) {
      kept.clear()
      held = 0
    }
    kept.set(stream, { slice, at })
    held += length
  }

  const readWhole = async (
    stream: string,
    known: StreamSlice | undefined,
  ): Promise<E.Either<ReadFailure, StreamSlice>> => {
    if (known === undefined) return store.readStream(stream)()
    const since = await store.readStream(stream, known.head.revision)()
    if (E.isLeft(since)) return since
    const [last, ...news] = since.right.events
    if (last?.metadata.hash !== known.head.hash) return store.readStream(stream)()
    return E.right(news.length === 0 ? known : { events: [...known.events, ...news], head: since.right.head })
  }

  return {
    ...store,
    readStream: (stream, from, direction) => async () => {
      if (direction === 'backwards') return store.readStream(stream, from, direction)()
      const [known, at] = [kept.get(stream), changes()]
      if (known?.at === at) return E.right(from === undefined ? known.slice : after(known.slice, from))
      if (from !== undefined) return store.readStream(stream, from)()
      const slice = await readWhole(stream, known?.slice)
      if (E.isRight(slice)) keep(stream, slice.right, at)
      return slice
    },
  }
}

const after = ({ events, head }: StreamSlice, from: bigint): StreamSlice => ({
  events: from <= 0n ? events : events.slice(Number(from)),
  head,
})

/** Read models that cache the rows which nearly every request reads. */
const rememberingRows = (models: ReadModels, changes: Changes): ReadModels => {
  const { access, apiKeys } = models
  return {
    ...models,
    apiKeys: { ...apiKeys, withKey: whileUnchanged(changes, (hash) => hash, apiKeys.withKey) },
    access: {
      ...access,
      withKeyUnder: whileUnchanged(
        changes,
        ({ merchantId, environment }, customerId, key) => [merchantId, environment, customerId, key].join('\n'),
        access.withKeyUnder,
      ),
    },
  }
}

/** A log and the read models in its file, both with caches. */
export const remembering = (
  store: SqliteEventStore,
): { readonly store: EventStore; readonly readModels: ReadModels } => {
  const changes = changesIn(store)
  return { store: rememberingStore(store, changes), readModels: rememberingRows(readModels(store.reader), changes) }
}
