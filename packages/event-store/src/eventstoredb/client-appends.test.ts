import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DeadlineExceededError, type EventStoreDBClient, NO_STREAM } from '@eventstore/db-client'
import * as E from 'fp-ts/lib/Either.js'
import { readLog, sampleEvent } from '../conformance/sample.ts'
import { noEvents } from '../port.ts'
import { eventually } from '../testing/peer/eventually.ts'
import type { Peer } from '../testing/peer/peer.ts'
import { startPeerProcess } from '../testing/peer/process.ts'
import { eventStoreDb } from './store.ts'
import { foreignEvent, shortDeadlineMs, stage, writeThree } from './testing/stage.ts'

const { peer, store, bare, clear } = stage()
afterEach(clear)

const deadline = shortDeadlineMs
const unknown = E.left({ _tag: 'OutcomeUnknown', cause: expect.anything() })
const written = E.right(expect.objectContaining({ head: { revision: 0n, hash: expect.any(String) } }))

const isPending = (work: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    work.then(
      () => false,
      () => false,
    ),
    nextTurn(true),
  ])

const batch = (client: EventStoreDBClient, stream = 'sample-1') =>
  client.appendToStream(stream, foreignEvent(), { expectedRevision: NO_STREAM, deadline })

/** Resolves once a deadline of the same length has passed for a working call. */
const deadlinePassed = async (client: EventStoreDBClient): Promise<void> => {
  const credentials = { username: 'a', password: 'b' }
  const call = client.appendToStream('other', foreignEvent(), { deadline, credentials })
  await expect(call).rejects.toBeInstanceOf(DeadlineExceededError)
}

/** A connected batching client with an append that is never answered. */
const pendingBatch = async (server: Peer, client: EventStoreDBClient) => {
  await batch(client, 'first')
  server.misbehave({ _tag: 'silent' })
  const seen = server.appendsSeen()
  const pending = batch(client)
  pending.catch(() => undefined)
  await eventually(() => server.appendsSeen() > seen)
  return { pending }
}

describe('a silent server (fact 1)', () => {
  it("a silent server hangs a bare client's batch append past its deadline, while a classic one ends", async () => {
    const server = await peer()
    const client = bare(server)
    const { pending } = await pendingBatch(server, client)
    await deadlinePassed(client)
    expect(await isPending(pending)).toBe(true)
  })

  it.each([false, true])(
    'a silent server leaves our append with an unknown outcome at the deadline (in batches: %s)',
    async (batchAppend) => {
      const server = await peer()
      const log = store(server, { deadlineMs: deadline, batchAppend })
      server.misbehave({ _tag: 'silent' })
      expect(await log.append('sample-1', noEvents, [sampleEvent('a')])()).toEqual(unknown)
      server.misbehave({ _tag: 'none' })
      expect(await readLog(log)).toEqual([])
    },
  )

  it('a silent server fails our reads at the deadline', async () => {
    const server = await peer()
    const log = store(server, { deadlineMs: deadline })
    server.misbehave({ _tag: 'silent' })
    expect(await log.readStream('sample-1')()).toEqual(E.left({ _tag: 'StoreUnavailable', cause: expect.anything() }))
  })
})

describe('a clean end of the batch stream (fact 2)', () => {
  it("a cleanly ended batch stream never settles a bare client's append", async () => {
    const server = await peer()
    const client = bare(server)
    await batch(client, 'first')
    server.misbehave({ _tag: 'endsCleanly', afterEvents: 0 })
    const seen = server.appendsSeen()
    const pending = batch(client)
    await eventually(() => server.appendsSeen() > seen)
    server.misbehave({ _tag: 'silent' })
    await deadlinePassed(client)
    expect(await isPending(pending)).toBe(true)
  })

  it('a cleanly ended batch stream leaves our append with an unknown outcome, which resending resolves', async () => {
    const server = await peer()
    const log = store(server, { deadlineMs: deadline, batchAppend: true })
    server.misbehave({ _tag: 'endsCleanly', afterEvents: 0 })
    const append = log.append('sample-1', noEvents, [sampleEvent('a')])
    expect(await append()).toEqual(unknown)
    server.misbehave({ _tag: 'none' })
    expect(await append()).toEqual(written)
    expect(log.metrics).toMatchObject({ appends: 1, unknownOutcomes: 1, unknownResolvedAsWritten: 1 })
  })
})

describe('the failure of another server (fact 3)', () => {
  it("another server's failure rejects pending appends of an unrelated bare client", async () => {
    const [server, failing] = [await peer(), await peer()]
    const { pending } = await pendingBatch(server, bare(server))
    const other = bare(failing)
    failing.misbehave({ _tag: 'fails' })
    await expect(batch(other)).rejects.toThrow('The peer was told to fail')
    await expect(pending).rejects.toThrow('The peer was told to fail')
  })

  it("another server's failure does not affect our appends, which are separate calls", async () => {
    const [server, failing] = [await peer(), await peer()]
    const log = store(server)
    server.misbehave({ _tag: 'slow', delayMs: 50 })
    const pending = log.append('sample-1', noEvents, [sampleEvent('a')])()
    failing.misbehave({ _tag: 'fails' })
    await expect(batch(bare(failing))).rejects.toThrow('The peer was told to fail')
    expect(await pending).toEqual(written)
  })

  it('batch appends are limited to one server per process', async () => {
    const [server, another] = [await peer(), await peer()]
    store(server, { batchAppend: true })
    expect(() => store(another, { batchAppend: true })).toThrow('to one event store only')
  })
})

describe('a bigint in an event (fact 4)', () => {
  it("a bigint ends a bare client's process by an unhandled rejection", async () => {
    const server = await peer()
    const script = fileURLToPath(new URL('./testing/bigint-process.ts', import.meta.url))
    const child = spawn(process.execPath, ['--no-warnings', script, server.connectionString])
    let errors = ''
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString()
    })
    expect(await once(child, 'close')).toEqual([1, null])
    expect(errors).toContain('serialize a BigInt')
  })

  it('we refuse a bigint before sending anything', async () => {
    const server = await peer()
    const data: Record<string, never> = Object.assign({}, JSON.parse('{}'), { amount: 1n })
    await expect(store(server).append('sample-1', noEvents, [sampleEvent('a', data)])()).rejects.toThrow(TypeError)
    expect(server.appendsSeen()).toBe(0)
  })
})

describe('throwOnAppendFailure=false (fact 5)', () => {
  it('throwOnAppendFailure=false makes a bare client report a wrong revision', async () => {
    const server = await peer()
    await writeThree(store(server))
    const answer = await batch(bare(server, '&throwOnAppendFailure=false'))
    expect(answer).toMatchObject({ success: false, nextExpectedRevision: 1n })
  })

  it('we refuse throwOnAppendFailure=false and answer the actual revision', async () => {
    const server = await peer()
    const log = store(server)
    await writeThree(log)
    const connectionString = `${server.connectionString}&throwOnAppendFailure=false`
    expect(() => eventStoreDb({ connectionString, clock: Date.now, deadlineMs: 1_000 })).toThrow('throwOnAppendFailure')
    const conflict = E.left({ _tag: 'WrongExpectedRevision', expected: -1n, actual: 2n })
    expect(await log.append('sample-1', noEvents, [sampleEvent('d')])()).toEqual(conflict)
    const batching = store(server, { batchAppend: true })
    expect(await batching.append('sample-1', noEvents, [sampleEvent('d')])()).toEqual(conflict)
  })
})

describe('the loss of a connection under load', () => {
  it.each([
    ['ends the process of a bare client by a rejection that nobody can handle', 'bare', [1, null]],
    ['is an outcome of each of our batch appends', 'ours', [0, null]],
  ])(
    '%s',
    async (_, side, exit) => {
      const directory = mkdtempSync(join(tmpdir(), 'quittance-peer-'))
      const server = await startPeerProcess(directory, 0)
      const script = fileURLToPath(new URL('./testing/batching-process.ts', import.meta.url))
      const child = spawn(process.execPath, ['--no-warnings', script, server.connectionString, side], {
        stdio: ['pipe', 'pipe', 'ignore'],
      })
      const closed = once(child, 'close')
      expect(String(await once(child.stdout, 'data'))).toBe('connected\n')
      server.freeze()
      child.stdin.end('go')
      expect(String(await once(child.stdout, 'data'))).toBe('sent\n')
      await server.kill()
      expect(await closed).toEqual(exit)
      rmSync(directory, { recursive: true, force: true })
    },
    30_000,
  )
})

describe('the death of a caller in the middle of an append', () => {
  it('a caller that dies in the middle of an append leaves nothing on the peer', async () => {
    const server = await peer()
    const script = fileURLToPath(new URL('./testing/dying-append.ts', import.meta.url))
    const address = new URL(server.connectionString).host
    const child = spawn(process.execPath, ['--no-warnings', script, address], { stdio: ['ignore', 'pipe', 'ignore'] })
    const closed = once(child, 'close')
    expect(String(await once(child.stdout, 'data'))).toBe('sent\n')
    child.kill('SIGKILL')
    expect(await closed).toEqual([null, 'SIGKILL'])
    const client = bare(server)
    await client.appendToStream('another', foreignEvent())
    const streams: Array<string | undefined> = []
    for await (const { event } of client.readAll()) streams.push(event?.streamId)
    expect(streams).toEqual(['another'])
  })
})
