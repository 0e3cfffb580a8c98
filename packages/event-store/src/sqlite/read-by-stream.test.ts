import { appendAt } from '../conformance/sample.ts'
import { type Head, noEvents } from '../port.ts'
import { archiveLog } from './archive/archive-log.ts'
import { readByStream } from './read-by-stream.ts'
import { sqliteEventStore } from './store.ts'
import { temporaryFile } from './testing/process.ts'

describe('reading a log a stream after the other', () => {
  let file: ReturnType<typeof temporaryFile>
  let store: ReturnType<typeof sqliteEventStore>
  let now: number
  beforeEach(() => {
    file = temporaryFile()
    now = 1
    heads.clear()
    store = sqliteEventStore({ path: file.path, clock: () => now, projections: [] })
  })
  afterEach(() => {
    store.close()
    file.remove()
  })
  const heads = new Map<string, Head>()
  /** Appends to these streams in turn, so many times. */
  const write = async (streams: ReadonlyArray<string>, times: number) => {
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

  it('answers the same while the log is archived, of streams in segments, in the file, and in both', async () => {
    const numbered = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `s-${from + n}`)
    await write(numbered(0, 500), 1)
    now = Date.UTC(1971, 0)
    await write(numbered(300, 700), 1)
    const before = await Array.fromAsync(store.readByStream())
    const read: Array<unknown> = []
    for await (const event of store.readByStream()) {
      read.push(event)
      if (read.length === 250) await archiveLog({ path: file.path, before: now, clock: () => now, mostEvents: 70 })
    }
    const archived = store.reader.prepare('SELECT min(position) - 1 AS archived FROM events').get()
    expect(archived).toEqual({ archived: 500 })
    expect(read).toEqual(before)
    expect(await Array.fromAsync(store.readByStream())).toEqual(before)
  })

  it('leaves out what was appended since, and reads an empty log', async () => {
    expect(await Array.fromAsync(store.readByStream())).toEqual([])
    await write(['a', 'b'], 2)
    expect(names(await Array.fromAsync(readByStream(store.reader, 3)))).toEqual(['a @ 0', 'a @ 1', 'b @ 0'])
  })
})
