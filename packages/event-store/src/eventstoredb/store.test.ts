import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AccessDeniedError } from '@eventstore/db-client'
import { right } from '@quittance/domain/testing/outcomes'
import * as E from 'fp-ts/lib/Either.js'
import { expectOneGaplessOrder, follow, readLog, sampleEvent } from '../conformance/sample.ts'
import { type Alongside, noEvents } from '../port.ts'
import { changesOf } from '../sql-program.ts'
import { loopbackTls } from '../testing/peer/loopback-tls.ts'
import { shortDeadlineMs, stage, writeThree } from './testing/stage.ts'

const { peer, store, clear } = stage()
afterEach(clear)

const append = (log: ReturnType<typeof store>) => log.append('sample-1', noEvents, [sampleEvent('a')])
const unknown = E.left({ _tag: 'OutcomeUnknown', cause: expect.anything() })
const written = E.right(expect.objectContaining({ head: { revision: 0n, hash: expect.any(String) } }))

describe('an append', () => {
  it('an append with a lost reply is unknown, and resending has a single effect', async () => {
    const server = await peer()
    const log = store(server)
    server.misbehave({ _tag: 'losesReplies' })
    expect(await append(log)()).toEqual(unknown)
    server.misbehave({ _tag: 'none' })
    expect(await append(log)()).toEqual(written)
    expect((await readLog(log)).map(({ id }) => id)).toEqual(['a'])
    expect(log.metrics).toMatchObject({ unknownOutcomes: 1, unknownResolvedAsWritten: 1, unknownResolvedAsRefused: 0 })
  })

  it('an append of unknown outcome that lost to another writer is refused on resending', async () => {
    const server = await peer()
    const log = store(server)
    server.misbehave({ _tag: 'unavailable' })
    expect(await append(log)()).toEqual(unknown)
    server.misbehave({ _tag: 'none' })
    right(await store(server).append('sample-1', noEvents, [sampleEvent('b')])())
    expect(await append(log)()).toEqual(E.left({ _tag: 'WrongExpectedRevision', expected: -1n, actual: 0n }))
    expect(log.metrics).toMatchObject({ unknownOutcomes: 1, unknownResolvedAsWritten: 0, unknownResolvedAsRefused: 1 })
  })

  it('an append goes to the leader that a follower names, without becoming unknown', async () => {
    const [follower, leader] = [await peer(), await peer()]
    follower.misbehave({ _tag: 'notLeader', host: '127.0.0.1', port: leader.port })
    const log = store(follower)
    expect(await append(log)()).toEqual(written)
    expect(log.metrics).toMatchObject({ appends: 1, unknownOutcomes: 0, reconnects: 1 })
    expect((await readLog(store(leader))).map(({ id }) => id)).toEqual(['a'])
  })

  it('an append that never reached a server is refused at the deadline: nothing was written', async () => {
    const server = await peer()
    // Much longer than a busy machine needs for one refusal, since the deadline makes a pending attempt unknown.
    const log = store(server, { deadlineMs: 3_000 })
    await server.stop()
    expect(await append(log)()).toEqual(E.left({ _tag: 'StoreUnavailable', cause: expect.anything() }))
  })

  it('an append of unknown outcome stays unknown while resending reaches no server', async () => {
    const server = await peer()
    const log = store(server, { deadlineMs: shortDeadlineMs })
    server.misbehave({ _tag: 'losesReplies' })
    expect(await append(log)()).toEqual(unknown)
    await server.stop()
    expect(await append(log)()).toEqual(unknown)
    expect(log.metrics).toMatchObject({ unknownOutcomes: 1, unknownResolvedAsWritten: 0, unknownResolvedAsRefused: 0 })
  })

  it('an append with an alongside write is a defect, and nothing is sent', async () => {
    const server = await peer()
    const log = store(server)
    const alongside: Alongside = function* () {
      yield* changesOf('DELETE FROM claims')()
    }
    await expect(log.append('sample-1', noEvents, [sampleEvent('a')], alongside)()).rejects.toThrow(TypeError)
    expect(server.appendsSeen()).toBe(0)
  })

  it('an append keeps its order when the server’s clock goes back', async () => {
    let now = 9_000
    const server = await peer({
      clock: () => {
        now -= 1_000
        return now
      },
    })
    const log = store(server)
    await writeThree(log)
    const events = await readLog(log)
    expect(events.map(({ id, recordedAt }) => [id, recordedAt])).toEqual([
      ['a', 8_000],
      ['b', 7_000],
      ['c', 6_000],
    ])
    expectOneGaplessOrder(events)
  })
})

describe('a store', () => {
  it('a store finds its node by gossip', async () => {
    const leader = await peer()
    const members = () => [
      { host: '127.0.0.1', port: follower.port, isLeader: false },
      { host: '127.0.0.1', port: leader.port, isLeader: true },
    ]
    const follower = await peer({ members })
    const connectionString = `kurrentdb+discover://127.0.0.1:${follower.port}?tls=false`
    expect(await append(store(follower, { connectionString }))()).toEqual(written)
    expect((await readLog(store(leader))).length).toBe(1)
    expect(follower.appendsSeen()).toBe(0)
  })

  it('a store speaks TLS with servers certified by a CA file and presents its credentials', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quittance-tls-'))
    const caFile = join(folder, 'ca.pem')
    writeFileSync(caFile, loopbackTls.certificate)
    const credentials = { username: 'admin', password: 'p:@ss/?&' }
    const server = await peer({ tls: loopbackTls, credentials })
    const log = store(server, { caFile, credentials })
    expect(await append(log)()).toEqual(written)
    expect((await readLog(log)).map(({ id }) => id)).toEqual(['a'])
    const inString = `esdb://admin:${encodeURIComponent(credentials.password)}@127.0.0.1:${server.port}`
    const other = store(server, { connectionString: inString, caFile, batchAppend: true })
    expect(await append(other)()).toEqual(written)
    const denied = E.left({ _tag: 'StoreUnavailable', cause: expect.any(AccessDeniedError) })
    const stranger = store(server, { caFile, credentials: { ...credentials, password: 'wrong' } })
    expect(await append(stranger)()).toEqual(denied)
    expect(await stranger.readStream('sample-1')()).toEqual(denied)
    await expect(follow(stranger, 0n, () => true)).rejects.toBeInstanceOf(AccessDeniedError)
    const untrusting = store(server, { credentials })
    expect(await append(untrusting)()).toEqual(E.left({ _tag: 'StoreUnavailable', cause: expect.anything() }))
    rmSync(folder, { recursive: true, force: true })
  })

  it('a closed store answers nothing', async () => {
    const log = store(await peer())
    await log.close()
    const closed = E.left({ _tag: 'StoreUnavailable', cause: new Error('The event store is closed') })
    expect(await append(log)()).toEqual(closed)
    expect(await log.readStream('sample-1')()).toEqual(closed)
  })

  it.each([
    ['no connection string', 'http://127.0.0.1:2113', 'malformed'],
    ['TLS without credentials', 'esdb://127.0.0.1:2113', 'needs credentials'],
  ])('refuses %s', async (_, connectionString, message) => {
    const server = await peer()
    expect(() => store(server, { connectionString })).toThrow(message)
  })
})
