import type { EventStoreDBClient } from '@eventstore/db-client'
import type { RecordedEvent } from '@quittance/domain'
import * as fc from 'fast-check'
import { appendAt, follow, read, readLog, sampleEvent } from '../conformance/sample.ts'
import { noEvents } from '../port.ts'
import type { Misbehaviour } from '../testing/peer/misbehaviour.ts'
import type { EventStoreDb } from './store.ts'
import { foreignEvent, stage, writeThree } from './testing/stage.ts'

const { peer, store, bare, clear } = stage()
afterEach(clear)

const ours = { streamPrefixes: ['sample-', 'other-'] }
const ids = (events: ReadonlyArray<RecordedEvent>): ReadonlyArray<string> => events.map(({ id }) => id)

const writeForeign = async (client: EventStoreDBClient, count: number): Promise<void> => {
  for (let left = count; left > 0; left -= 1_000)
    await client.appendToStream('foreign-1', Array.from({ length: Math.min(left, 1_000) }, foreignEvent))
}

const readAfter = async (log: EventStoreDb, after: bigint, ...streamPrefixes: ReadonlyArray<string>) => {
  const found: RecordedEvent[] = []
  const filter = streamPrefixes.length === 0 ? undefined : { streamPrefixes }
  for await (const event of log.readAll(after, filter)) found.push(event)
  return found
}

describe('a server that other applications share', () => {
  it('sends us none of their events: to a read of the log, a subscription or a verification', async () => {
    const server = await peer()
    const log = store(server, ours)
    await writeThree(log)
    await writeForeign(bare(server), 10_000)
    await writeThree(log, 'sample-2')
    const sent = async (work: () => Promise<unknown>): Promise<number> => {
      const before = server.eventsSent()
      await work()
      return server.eventsSent() - before
    }
    // A read of the log asks for the last event of all first.
    expect(await sent(async () => expect(ids(await readLog(log))).toEqual(['a', 'b', 'c', 'a', 'b', 'c']))).toBe(7)
    expect(await sent(() => follow(log, 0n, ({ length }) => length === 6))).toBe(6)
    expect(await sent(log.verify([]))).toBe(7)
    await writeForeign(bare(server), 1_000)
    const last = (await readLog(log)).at(-1)?.position ?? 0n
    expect(await sent(() => readAfter(log, last))).toBe(1)
    expect(await sent(() => readLog(store(server)))).toBeGreaterThan(11_000)
  })

  const faults: ReadonlyArray<Misbehaviour> = [
    { _tag: 'none' },
    { _tag: 'endsCleanly', afterEvents: 2 },
    { _tag: 'checkpointsAhead', afterEvents: 2 },
  ]
  it('gives our events once and in order from every position, whatever was written and read before', async () => {
    const step = fc.oneof(
      fc.record({ foreign: fc.nat(600) }),
      fc.record({ ours: fc.integer({ min: 1, max: 4 }), of: fc.constantFrom('sample-1', 'sample-2', 'other-1') }),
      fc.record({ from: fc.nat(40), filter: fc.constantFrom<string[]>([], ['sample-'], ['sample-2', 'none-']) }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 15 }),
        fc.constantFrom(...faults),
        async (steps, fault) => {
          const server = await peer()
          const client = bare(server)
          const log = store(server, ours)
          let written: ReadonlyArray<RecordedEvent> = []
          for (const [round, each] of steps.entries()) {
            if ('foreign' in each) await writeForeign(client, each.foreign)
            else if ('ours' in each) {
              const { head } = await read(log, each.of)
              await appendAt(
                log,
                each.of,
                head,
                Array.from({ length: each.ours }, (_, m) => `${round}-${m}`),
              )
              written = await readLog(store(server))
            } else {
              const after = written[each.from]?.position ?? 0n
              const isWanted = ({ stream, position }: RecordedEvent): boolean =>
                position > after &&
                (each.filter.length === 0 || each.filter.some((prefix) => stream.startsWith(prefix)))
              server.misbehave(fault)
              expect(await readAfter(log, after, ...each.filter)).toEqual(written.filter(isWanted))
              server.misbehave({ _tag: 'none' })
            }
          }
          expect(await readLog(log)).toEqual(written)
          await clear()
        },
      ),
      { numRuns: 20, endOnFailure: true },
    )
  }, 120_000)

  it('that never says when a subscription has caught up is read to its end all the same', async () => {
    const server = await peer()
    const log = store(server, ours)
    await writeThree(log)
    await writeForeign(bare(server), 20)
    server.misbehave({ _tag: 'neverCaughtUp' })
    expect(ids(await readLog(log))).toEqual(['a', 'b', 'c'])
    await writeThree(log, 'sample-2')
    await writeForeign(bare(server), 20)
    expect(ids(await readLog(log))).toEqual(['a', 'b', 'c', 'a', 'b', 'c'])
  })

  it('gets no append to a stream that we would not read again', async () => {
    const server = await peer()
    const append = store(server, ours).append('foreign-2', noEvents, [sampleEvent('a')])
    await expect(append()).rejects.toThrow(new RangeError('The streams of this log do not include foreign-2'))
    expect(server.appendsSeen()).toBe(0)
  })
})
