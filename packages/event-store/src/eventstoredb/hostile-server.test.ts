import type { RecordedEvent } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { AlteredLog } from '../altered-log.ts'
import { appendAt, follow, read, readLog, sampleEvent } from '../conformance/sample.ts'
import { type Head, noEvents } from '../port.ts'
import type { Peer } from '../testing/peer/peer.ts'
import { startTearingProxy, type TearingProxy } from '../testing/peer/tearing-proxy.ts'
import { stage, writeThree } from './testing/stage.ts'

const { peer, store, clear } = stage()
const proxies: TearingProxy[] = []
const proxyTo = async ({ port }: Peer): Promise<TearingProxy> => {
  const proxy = await startTearingProxy(port)
  proxies.push(proxy)
  return proxy
}
afterEach(async () => {
  await clear()
  for (const proxy of proxies.splice(0)) proxy.close()
})

const manyIds = (batch: number, count: number) => Array.from({ length: count }, (_, n) => `${batch}-${n}`)

const append = (log: ReturnType<typeof store>, ids = ['a']) =>
  log.append(
    'sample-1',
    noEvents,
    ids.map((id) => sampleEvent(id)),
  )

describe('a server that answers an append with a wrong revision', () => {
  it.each([false, true])(
    'a wrong revision in an answer is checked against the stored events (in batches: %s)',
    async (batchAppend) => {
      const server = await peer()
      const log = store(server, { batchAppend })
      server.misbehave({ _tag: 'answersRevision', revision: 7, writes: true })
      const [stored] = right(await append(log)()).events
      expect(await readLog(log)).toEqual([stored])
      expect(stored).toMatchObject({ id: 'a', revision: 0n })
    },
  )

  it('a wrong answer without a write leaves an append unknown, and resending writes it', async () => {
    const server = await peer()
    const log = store(server)
    server.misbehave({ _tag: 'answersRevision', revision: 7, writes: false })
    expect(await append(log)()).toEqual(E.left({ _tag: 'OutcomeUnknown', cause: expect.any(AlteredLog) }))
    server.misbehave({ _tag: 'none' })
    right(await append(log)())
    expect((await readLog(log)).map(({ id }) => id)).toEqual(['a'])
    expect(log.metrics).toMatchObject({ unknownOutcomes: 1, unknownResolvedAsWritten: 1 })
  })

  it('a wrong answer for several unwritten events leaves them unknown, even if others are there', async () => {
    const server = await peer()
    const log = store(server)
    await writeThree(log)
    server.misbehave({ _tag: 'answersRevision', revision: 1, writes: false })
    const outcome = await append(store(server), ['a', 'x'])()
    expect(outcome).toEqual(E.left({ _tag: 'OutcomeUnknown', cause: expect.any(AlteredLog) }))
  })
})

describe('a connection that breaks', () => {
  it.each([
    ['in the middle of a frame', 'tearAfter'],
    ['by an error of its HTTP/2 session', 'closeAfter'],
  ] as const)(
    '%s leaves an append with one effect, a read complete, and a subscription without repeats',
    async (_, tear) => {
      const server = await peer()
      const proxy = await proxyTo(server)
      const log = store(server, { connectionString: proxy.connectionString })
      const ids: string[] = []
      let head: Head = noEvents
      await fc.assert(
        fc.asyncProperty(fc.noBias(fc.integer({ min: 1, max: 8_000 })), async (bytes) => {
          proxy[tear](bytes)
          const id = `event ${ids.length}`
          const send = log.append('torn-1', head, [sampleEvent(id)])
          let outcome = await send()
          while (outcome._tag === 'Left' && outcome.left._tag === 'OutcomeUnknown') outcome = await send()
          head = right(outcome).head
          ids.push(id)
          const slice = await read(log, 'torn-1')
          expect(slice.head).toEqual(head)
          expect(slice.events.map((event) => event.id)).toEqual(ids)
          expect(await follow(log, 0n, ({ length }) => length === ids.length)).toEqual(slice.events)
        }),
        { numRuns: 40, endOnFailure: true },
      )
      expect(proxy.tears()).toBeGreaterThan(10)
    },
    60_000,
  )

  it('again and again in the midst of a long read leaves the read complete, in order and without repeats', async () => {
    const server = await peer()
    const proxy = await proxyTo(server)
    let head: Head = noEvents
    for (let n = 0; n < 5; n += 1) head = await appendAt(store(server), 'long-1', head, manyIds(n, 500))
    const written = await readLog(store(server))
    const log = store(server, { connectionString: proxy.connectionString })
    const seen: RecordedEvent[] = []
    proxy.closeAfter(200_000)
    for await (const event of log.readAll(0n)) {
      seen.push(event)
      // Within the page after the present one.
      if (seen.length % 1_000 === 1) proxy.closeAfter(200_000)
    }
    expect(proxy.tears()).toBe(3)
    expect(seen).toEqual(written)
    expect(log.metrics.reconnects).toBe(3)
  })
})
