import assert from 'node:assert/strict'
import type { JsonObject, NewEvent, RecordedEvent } from '@quittance/domain'
import { right } from '@quittance/domain/testing'
import type { EventStore, Head, StreamSlice } from '../port.ts'

/** An event whose id names it, so that a test can repeat it or choose another. */
export const sampleEvent = (id: string, data: JsonObject = { note: id }): NewEvent => ({
  id,
  type: 'SampleTaken',
  schemaVersion: 1,
  data,
  context: {
    merchantId: 'mer_1',
    environment: 'testnet',
    commandId: `command of ${id}`,
    correlationId: 'correlation',
    causationId: null,
    actor: 'key_1',
    occurredAt: 1_790_000_000_000,
  },
})

export const appendAt = async (
  store: EventStore,
  stream: string,
  head: Head,
  ids: ReadonlyArray<string>,
): Promise<Head> =>
  right(
    await store.append(
      stream,
      head,
      ids.map((id) => sampleEvent(id)),
    )(),
  ).head

export const read = async (store: EventStore, stream: string): Promise<StreamSlice> =>
  right(await store.readStream(stream)())

export const readLog = async (store: EventStore): Promise<ReadonlyArray<RecordedEvent>> => {
  const events: RecordedEvent[] = []
  for await (const event of store.readAll(0n)) events.push(event)
  return events
}

const deadlineMs = 20_000

/**
 * Subscribes until enough events have arrived, then ends the subscription. After a deadline it answers what it has, so
 * that a comparison fails instead of hanging.
 */
export const follow = async (
  store: EventStore,
  after: bigint,
  isEnough: (seen: ReadonlyArray<RecordedEvent>) => boolean,
): Promise<ReadonlyArray<RecordedEvent>> => {
  const seen: RecordedEvent[] = []
  const abort = new AbortController()
  const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(deadlineMs)])
  for await (const event of store.subscribe(after, signal)) {
    seen.push(event)
    if (isEnough(seen)) abort.abort()
  }
  return seen
}

/** Appends one event at the head, as a command handler does: load, decide, retry after a conflict. */
export const appendSomewhere = async (store: EventStore, stream: string, id: string): Promise<void> => {
  for (;;) {
    const { head } = await read(store, stream)
    const outcome = await store.append(stream, head, [sampleEvent(id)])()
    if (outcome._tag === 'Right') return
    if (outcome.left._tag !== 'WrongExpectedRevision') right(outcome)
  }
}

const writersAtOnce = 10

/** Runs work for the numbers below `count`, some concurrently. */
export const inLanes = async (count: number, work: (n: number) => Promise<void>): Promise<void> => {
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < count) {
      next += 1
      await work(next - 1)
    }
  }
  await Promise.all(Array.from({ length: writersAtOnce }, lane))
}

/** An event without `recordedAt`, which may differ between an append's answer and a read. */
export const untimed = ({ recordedAt, ...event }: RecordedEvent): Omit<RecordedEvent, 'recordedAt'> => event

/** Checks any log: growing positions, gapless revisions, chained events. */
export const expectOneGaplessOrder = (log: ReadonlyArray<RecordedEvent>): void => {
  const heads = new Map<string, Head>()
  let last: bigint | undefined
  const places = log.map(({ stream, revision, position, metadata }) => {
    const previous = heads.get(stream)
    heads.set(stream, { revision, hash: metadata.hash })
    const isBehind = last === undefined || position > last
    last = position
    return { isBehind, revision, isChained: metadata.previousHash === (previous?.hash ?? '0'.repeat(64)) }
  })
  const counts = new Map<string, bigint>()
  assert.deepEqual(
    places,
    log.map(({ stream }) => {
      const revision = counts.get(stream) ?? 0n
      counts.set(stream, revision + 1n)
      return { isBehind: true, revision, isChained: true }
    }),
  )
}
