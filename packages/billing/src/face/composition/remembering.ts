import { CustomerMerges, Merchant, Payment, Webhook } from '@quittance/domain'
import { type EventStore, noEvents, type ReadFailure, type StreamSlice } from '@quittance/event-store'
import type { FileChanges, SqliteEventStore } from '@quittance/event-store/sqlite'
import { type ReadModels, readModels, sqliteReading } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { type CountChanges, whileUnchanged } from './while-unchanged.ts'

/** A stream's events from a revision on, as of a count of changes. */
type Kept = { readonly slice: StreamSlice; readonly from: bigint; readonly at: number }
type Reading = Omit<Kept, 'slice'> & { readonly slice: Promise<E.Either<ReadFailure, StreamSlice>> }

const noSlice: Kept = { slice: { events: [], head: noEvents }, from: 0n, at: Number.NaN }
const stale = (known: Kept): Kept => ({ ...known, at: Number.NaN })

/** The limit over all streams: some ten megabytes. */
const mostEvents = 5_000
const longestSlice = 50

/**
 * A store over a file that caches short streams and short ends of streams. What is cached is current until others commit to
 * the file. Own appends are added. Afterwards only the events after its head are read: a stream that still holds the event with the head's
 * revision and hash also holds everything before it. What has not changed is answered as the same object, and requests that
 * come while it is read share the answer.
 */
const rememberingStore = (store: EventStore, { count, onAppend }: FileChanges): EventStore => {
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

  onAppend((stream, before, { events, head }, at) => {
    readings.delete(stream)
    const known = before.revision < 0n ? noSlice : kept.get(stream)
    if (known === undefined) return
    const isNext = known.slice.head.hash === before.hash
    keep(
      stream,
      isNext ? { slice: { events: [...known.slice.events, ...events], head }, from: known.from, at } : stale(known),
    )
  })

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
    const end = (): boolean => readings.get(stream) === reading && readings.delete(stream)
    // One that a later reading or an append has overtaken is not kept.
    reading.slice.then((slice) => {
      if (end() && E.isRight(slice)) keep(stream, { slice: slice.right, from, at })
    }, end)
    return reading
  }

  return {
    ...store,
    readStream: (stream, asked, direction) => async () => {
      if (direction === 'backwards') return store.readStream(stream, asked, direction)()
      const from = asked === undefined || asked < 0n ? 0n : asked
      const [found, at] = [kept.get(stream), count()]
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

/** Read models that cache the rows which nearly every request, ledger or public event needs, until a stream grows of which they are made. */
const rememberingRows = (models: ReadModels, { count, onAppend }: FileChanges): ReadModels => {
  const { access, apiKeys, watchedAccounts, webhooks } = models
  const changesOf = (...categories: ReadonlyArray<string>): CountChanges => {
    let appends = 0
    onAppend((stream) => {
      if (categories.some((category) => stream.startsWith(`${category}-`))) appends++
    })
    return () => count() + appends
  }
  return {
    ...models,
    apiKeys: { ...apiKeys, withKey: whileUnchanged(changesOf(Merchant.category), (hash) => hash, apiKeys.withKey) },
    access: {
      ...access,
      withKeyUnder: whileUnchanged(
        changesOf(Payment.category, CustomerMerges.category),
        ({ merchantId, environment }, customerId, key) => [merchantId, environment, customerId, key].join('\n'),
        access.withKeyUnder,
      ),
    },
    watchedAccounts: {
      ...watchedAccounts,
      withKey: whileUnchanged(changesOf(Merchant.category), (account) => account, watchedAccounts.withKey),
    },
    webhooks: {
      ...webhooks,
      page: whileUnchanged(changesOf(Webhook.category), (request) => JSON.stringify(request), webhooks.page),
    },
  }
}

/** A log and the read models in its file, both with caches. */
export const remembering = (
  store: SqliteEventStore,
): { readonly store: EventStore; readonly readModels: ReadModels } => ({
  store: rememberingStore(store, store.changes),
  readModels: rememberingRows(readModels(sqliteReading(store.reader)), store.changes),
})
