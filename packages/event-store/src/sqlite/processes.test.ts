import type { RecordedEvent } from '@quittance/domain'
import { appendSomewhere, expectOneGaplessOrder, follow, readLog } from '../conformance/sample.ts'
import { type SqliteEventStore, sqliteEventStore } from './store.ts'
import { startAppending, temporaryFile } from './testing/process.ts'
import { verify } from './verify.ts'

describe('several processes on one file', () => {
  let file: ReturnType<typeof temporaryFile>
  let store: SqliteEventStore
  beforeEach(() => {
    file = temporaryFile()
    store = sqliteEventStore({ path: file.path, clock: Date.now, projections: [] })
  })
  afterEach(() => {
    store.close()
    file.remove()
  })

  it('several processes write one gapless order that only grows at its end', async () => {
    const writers = ['one', 'two', 'three'].map((name) => startAppending(file.path, 'storm', name, '120'))
    const following = follow(store, 0n, ({ length }) => length === 400)
    let before: ReadonlyArray<RecordedEvent> = []
    const growth = async (): Promise<void> => {
      const now = await readLog(store)
      expect(now.slice(0, before.length)).toEqual(before)
      before = now
    }
    for (let n = 0; n < 40; n += 1) {
      await appendSomewhere(store, `shared-${n % 5}`, `own-${n}`)
      await growth()
    }
    expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0, 0])
    await growth()
    expectOneGaplessOrder(before)
    expect(new Set(before.map(({ id }) => id)).size).toBe(400)
    expect(await following).toEqual(before)
    expect(await verify(file.path)).toMatchObject({ ok: true, events: 400, problems: [] })
  }, 30_000)

  it('events acknowledged before a process was killed are kept', async () => {
    const victim = startAppending(file.path, 'storm', 'victim', '100000')
    const survivor = startAppending(file.path, 'storm', 'survivor', '60')
    await follow(store, 0n, (seen) => seen.filter(({ id }) => id.startsWith('victim')).length === 100)
    victim.kill()
    expect(await victim.ended).toBe('SIGKILL')
    expect(await survivor.ended).toBe(0)
    const stored = (await readLog(store)).map(({ id }) => id)
    const acknowledged = [...victim.acknowledged(), ...survivor.acknowledged()]
    expect(acknowledged.length).toBeGreaterThan(60)
    expect(stored).toEqual(expect.arrayContaining(acknowledged))
    expectOneGaplessOrder(await readLog(store))
    expect(await verify(file.path)).toMatchObject({ ok: true, problems: [] })
  }, 30_000)
})
