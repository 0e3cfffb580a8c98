import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type EventStoreDBClient, type Position, START, streamNameFilter, UnknownError } from '@eventstore/db-client'
import type { RecordedEvent } from '@quittance/domain'
import { follow, readLog } from '../conformance/sample.ts'
import type { EventStoreDb } from './store.ts'
import { foreignEvent, stage, writeThree } from './testing/stage.ts'

const { peer, store, bare, clear } = stage()
afterEach(clear)

const ids = (events: ReadonlyArray<RecordedEvent>): ReadonlyArray<string> => events.map(({ id }) => id)
const followThree = async (log: EventStoreDb): Promise<ReadonlyArray<string>> =>
  ids(await follow(log, 0n, ({ length }) => length === 3))

/** The revisions that a bare subscription yields before it ends, and its last checkpoint. */
const untilItEnds = async (client: EventStoreDBClient, fromPosition: Position | typeof START) => {
  let checkpoint: Position | typeof START = START
  const checkpointReached = async (_: unknown, position: Position): Promise<void> => {
    checkpoint = position
  }
  const filter = streamNameFilter({ prefixes: ['sample-'], checkpointReached })
  const revisions: bigint[] = []
  for await (const { event } of client.subscribeToAll({ fromPosition, filter })) {
    if (event !== undefined) revisions.push(event.revision)
  }
  return { revisions, checkpoint }
}

describe('a clean end of a subscription (fact 6)', () => {
  it('a cleanly ended subscription looks like the end of the events to a bare client', async () => {
    const server = await peer()
    await writeThree(store(server))
    server.misbehave({ _tag: 'endsCleanly', afterEvents: 1 })
    expect((await untilItEnds(bare(server), START)).revisions).toEqual([0n])
  })

  it('we treat a cleanly ended subscription as a drop and resume after the last event seen', async () => {
    const server = await peer()
    const log = store(server)
    await writeThree(log)
    server.misbehave({ _tag: 'endsCleanly', afterEvents: 1 })
    expect(await followThree(log)).toEqual(['a', 'b', 'c'])
    expect(log.metrics.subscriptionDrops).toBe(2)
  })
})

describe('a failing subscription (fact 7)', () => {
  it('a failing subscription is over for a bare client', async () => {
    const server = await peer()
    await writeThree(store(server))
    server.misbehave({ _tag: 'fails' })
    await expect(untilItEnds(bare(server), START)).rejects.toBeInstanceOf(UnknownError)
  })

  it('we resume a failing subscription once the server is back', async () => {
    const server = await peer()
    const log = store(server)
    await writeThree(log)
    server.misbehave({ _tag: 'fails' })
    const seen = followThree(log)
    while (log.metrics.subscriptionDrops < 2) await new Promise((resolve) => setImmediate(resolve))
    server.misbehave({ _tag: 'none' })
    expect(await seen).toEqual(['a', 'b', 'c'])
  })
})

describe('the figures of a subscription', () => {
  it('each subscription reports its lag and connection until it ends', async () => {
    let now = 1_000
    const server = await peer({ clock: () => 1_000 })
    const log = store(server, { clock: () => now })
    await writeThree(log)
    now = 1_250
    const end = new AbortController()
    const events = log.subscribe(0n, end.signal, { streamPrefixes: ['sample-'] })[Symbol.asyncIterator]()
    const others = log.subscribe(0n, end.signal)[Symbol.asyncIterator]()
    await events.next()
    now = 4_000
    await others.next()
    const figures = [...log.metrics.subscriptions]
    expect(figures).toEqual([
      { streamPrefixes: ['sample-'], isConnected: true, lagMs: 250 },
      { streamPrefixes: null, isConnected: true, lagMs: 3_000 },
    ])
    server.misbehave({ _tag: 'unavailable' })
    await server.stop()
    const ended = [events, others].map(async (each) => {
      while ((await each.next()).done !== true);
    })
    while (log.metrics.subscriptionDrops < 2) await new Promise((resolve) => setImmediate(resolve))
    expect(figures.map(({ isConnected }) => isConnected)).toEqual([false, false])
    end.abort()
    await Promise.all(ended)
    expect(log.metrics.subscriptions.size).toBe(0)
  })
})

describe('a read of the log (fact 7)', () => {
  it("reading the log gives a bare client all streams, including other applications'", async () => {
    const server = await peer()
    await writeThree(store(server))
    const client = bare(server)
    await client.appendToStream('foreign-1', foreignEvent())
    const streams: (string | undefined)[] = []
    for await (const { event } of client.readAll()) streams.push(event?.streamId)
    expect(streams).toEqual(['sample-1', 'sample-1', 'sample-1', 'foreign-1'])
  })

  it('reading the log gives us only our own streams, or the requested ones', async () => {
    const server = await peer()
    const log = store(server)
    await bare(server).appendToStream('sample-foreign', foreignEvent())
    await writeThree(log)
    await writeThree(log, 'other-1')
    const found: RecordedEvent[] = []
    for await (const event of log.readAll(0n, { streamPrefixes: ['other-'] })) found.push(event)
    expect(found.map(({ stream }) => stream)).toEqual(['other-1', 'other-1', 'other-1'])
    expect((await readLog(log)).length).toBe(6)
    expect((await follow(log, 0n, ({ length }) => length === 6)).length).toBe(6)
  })
})

describe('a checkpoint at an event not yet delivered (fact 8)', () => {
  it('resuming from a checkpoint at an undelivered event loses it for a bare client', async () => {
    const server = await peer()
    await writeThree(store(server))
    const client = bare(server)
    server.misbehave({ _tag: 'checkpointsAhead', afterEvents: 1 })
    const { revisions, checkpoint } = await untilItEnds(client, START)
    server.misbehave({ _tag: 'endsCleanly', afterEvents: 1 })
    await writeThree(store(server), 'sample-2')
    const resumed = await untilItEnds(client, checkpoint)
    expect([...revisions, ...resumed.revisions]).toEqual([0n, 2n])
  })

  it('we resume after the last event seen, by both halves of its position, and lose nothing', async () => {
    const server = await peer()
    const log = store(server)
    await writeThree(log)
    server.misbehave({ _tag: 'checkpointsAhead', afterEvents: 1 })
    const seen: RecordedEvent[] = []
    const end = new AbortController()
    for await (const event of log.subscribe(0n, end.signal, { streamPrefixes: ['sample-'] })) {
      seen.push(event)
      if (seen.length === 3) end.abort()
    }
    expect(ids(seen)).toEqual(['a', 'b', 'c'])
  })
})

describe('time and shutdown (fact 9)', () => {
  it("a bare client sees only the server's clock; we see both", async () => {
    const server = await peer({ clock: () => 1_234 })
    const log = store(server)
    await writeThree(log)
    const created: (number | undefined)[] = []
    for await (const { event } of bare(server).readStream('sample-1')) created.push(event?.created.getTime())
    expect(created).toEqual([1_234, 1_234, 1_234])
    const times = (await readLog(log)).map(({ recordedAt, metadata }) => [recordedAt, metadata.occurredAt])
    expect(times).toEqual(Array.from({ length: 3 }, () => [1_234, 1_790_000_000_000]))
  })

  it('a process ends once its store is closed, even with an open subscription', async () => {
    const server = await peer()
    await writeThree(store(server))
    const script = fileURLToPath(new URL('./testing/closing-process.ts', import.meta.url))
    const child = spawn(process.execPath, ['--no-warnings', script, server.connectionString], { stdio: 'inherit' })
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})
