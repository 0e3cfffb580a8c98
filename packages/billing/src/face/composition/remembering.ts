import type { EventStore, ReadFailure, StreamSlice } from '@quittance/event-store'
import type { SqliteEventStore } from '@quittance/event-store/sqlite'
import { type ReadModels, readModels, sqliteReading } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { type Changes, changesIn, whileUnchanged } from './while-unchanged.ts'

/** A stream's events from a revision on, as of a count of commits. */
type Kept = { readonly slice: StreamSlice; readonly from: bigint; readonly at: number }
type Reading = Omit<Kept, 'slice'> & { readonly slice: Promise<E.Either<ReadFailure, StreamSlice>> }

/** The limit over all streams: some ten megabytes. */
const mostEvents = 5_000
const longestSlice = 50

/**
 * A store over a file that caches short streams and short ends of streams. While nothing is committed to the file, what is
 * cached is current. Afterwards only the events after its head are read: a stream that still holds the event with the head's
 * revision and hash also holds everything before it. What has not changed is answered as the same object, and requests that
 * come while it is read share the answer.
 */
const rememberingStore = (store: EventStore, changes: Changes): EventStore => {
  const kept = new Map<string, Kept>()
  const readings = new Map<string, Reading>()
  let held = 0
  const weightOf = (known: Kept | undefined): number =>
    known === undefined ? 0 : Math.max(1, known.slice.events.length)
  const keep = (stream: string, fresh: Kept): void => {
    held -= weightOf(kept.get(stream))
    kept.delete(stream)
    const { length } = fresh.slice.events
    // Without events, only the end of a whole stream is known.
    if (length > longestSlice || (length === 0 && fresh.from > 0n)) return
    const weight = weightOf(fresh)
    if (held + weight > mostEvents) {
      kept.clear()
      held = 0
    }
    kept.set(stream, fresh)
    held += weight
  }

  const readOn = async (
    stream: string,
    from: bigint,
    known: StreamSlice | undefined,
  ): Promise<E.Either<ReadFailure, StreamSlice>> => {
    if (known === undefined || known.events.length === 0) return store.readStream(stream, from)()
    const since = await store.readStream(stream, known.head.revision)()
    if (E.isLeft(since)) return since
    const [last, ...news] = since.right.events
    if (last?.metadata.hash !== known.head.hash) return store.readStream(stream, from)()
    return E.right(news.length === 0 ? known : { events: [...known.events, ...news], head: since.right.head })
  }

  const begin = (stream: string, from: bigint, known: StreamSlice | undefined, at: number): Reading => {
    const reading = { from, at, slice: readOn(stream, from, known) }
    readings.set(stream, reading)
    const end = (): void => {
      if (readings.get(stream) === reading) readings.delete(stream)
    }
    reading.slice.then((slice) => {
      if (E.isRight(slice)) keep(stream, { slice: slice.right, from, at })
      end()
    }, end)
    return reading
  }

  return {
    ...store,
    readStream: (stream, asked, direction) => async () => {
      if (direction === 'backwards') return store.readStream(stream, asked, direction)()
      const from = asked === undefined || asked < 0n ? 0n : asked
      const [found, at] = [kept.get(stream), changes()]
      const known = found !== undefined && found.from <= from ? found : undefined
      if (known?.at === at) return E.right(after(known.slice, from - known.from))
      const running = readings.get(stream)
      const isShared = running !== undefined && running.at === at && running.from <= from
      const reading = isShared ? running : begin(stream, known?.from ?? from, known?.slice, at)
      return E.map((slice: StreamSlice) => after(slice, from - reading.from))(await reading.slice)
    },
  }
}

/** A slice without its first events. */
const after = (slice: StreamSlice, count: bigint): StreamSlice =>
  count === 0n ? slice : { events: slice.events.slice(Number(count)), head: slice.head }

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
  return {
    store: rememberingStore(store, changes),
    readModels: rememberingRows(readModels(sqliteReading(store.reader)), changes),
  }
}
