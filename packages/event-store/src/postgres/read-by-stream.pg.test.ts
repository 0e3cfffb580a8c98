import { appendAt, readLog } from '../conformance/sample.ts'
import { type Head, noEvents } from '../port.ts'
import { postgresLogReader } from './log-reader.ts'
import { postgresEventStore } from './store.ts'
import { startCluster } from './testing/cluster.ts'

describe('reading a log in PostgreSQL a stream after the other', () => {
  it('answers the events of the log, each stream whole, in the order of their names', async () => {
    const cluster = await startCluster()
    const within = { connectionString: cluster.connectionString, schema: cluster.newSchema() }
    const store = await postgresEventStore({ ...within, clock: Date.now, projections: [] })
    const heads = new Map<string, Head>()
    for (let n = 0; n < 2; n += 1)
      for (const stream of ['b-1', 'a-2', 'a-1']) {
        const texts = Array.from({ length: 300 }, (_, each) => `${n} ${each}`)
        heads.set(stream, await appendAt(store, stream, heads.get(stream) ?? noEvents, texts))
      }
    const reader = await postgresLogReader(within)
    if (reader === null) throw new Error('there is no log')
    const inOrder = await readLog(store)
    const byStream = await Array.fromAsync(reader.readByStream())
    const of = (stream: string) => inOrder.filter((event) => event.stream === stream)
    expect(byStream).toEqual([...of('a-1'), ...of('a-2'), ...of('b-1')])
    await reader.close()
    await store.close()
    await cluster.remove()
  })
})
