import { appendAt } from '../conformance/sample.ts'
import { type Head, noEvents } from '../port.ts'
import { readByStream } from './read-by-stream.ts'
import { sqliteEventStore } from './store.ts'
import { temporaryFile } from './testing/process.ts'

describe('reading a log a stream after the other', () => {
  let file: ReturnType<typeof temporaryFile>
  let store: ReturnType<typeof sqliteEventStore>
  beforeEach(() => {
    file = temporaryFile()
    store = sqliteEventStore({ path: file.path, clock: () => 1, projections: [] })
  })
  afterEach(() => {
    store.close()
    file.remove()
  })
  /** Appends to these streams in turn, so many times. */
  const write = async (streams: ReadonlyArray<string>, times: number) => {
    const heads = new Map<string, Head>()
    for (let n = 0; n < times; n += 1)
      for (const stream of streams)
        heads.set(stream, await appendAt(store, stream, heads.get(stream) ?? noEvents, [`${n}`]))
  }
  const names = (events: ReadonlyArray<{ readonly stream: string; readonly revision: bigint }>) =>
    events.map(({ stream, revision }) => `${stream} @ ${revision}`)

  it('answers each stream whole, in the order of their names', async () => {
    await write(['b-1', 'a-2', 'a-1'], 2)
    expect(names(await Array.fromAsync(store.readByStream()))).toEqual([
      'a-1 @ 0',
      'a-1 @ 1',
      'a-2 @ 0',
      'a-2 @ 1',
      'b-1 @ 0',
      'b-1 @ 1',
    ])
  })

  it('answers the events of the log itself, across batches of streams', async () => {
    await write(
      Array.from({ length: 450 }, (_, n) => `s-${n}`),
      1,
    )
    const inOrder = await Array.fromAsync(store.readAll(0n))
    const byStream = await Array.fromAsync(store.readByStream())
    expect([...byStream].sort((one, other) => Number(one.position - other.position))).toEqual(inOrder)
  })

  it('leaves out what was appended since, and reads an empty log', async () => {
    expect(await Array.fromAsync(store.readByStream())).toEqual([])
    await write(['a', 'b'], 2)
    expect(names(await Array.fromAsync(readByStream(store.reader, 3)))).toEqual(['a @ 0', 'a @ 1', 'b @ 0'])
  })
})
