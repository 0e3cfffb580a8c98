import type { RecordedEvent } from '@quittance/domain'
import { appendAt, readLog } from '../conformance/sample.ts'
import { noEvents } from '../port.ts'
import { openDatabase } from './database.ts'
import { replay } from './replay.ts'
import { type SqliteEventStore, sqliteEventStore } from './store.ts'
import { temporaryFile } from './testing/process.ts'
import { verify } from './verify.ts'

const ids = Array.from({ length: 1_500 }, (_, n) => `event ${n}`)

describe('replaying a log', () => {
  let file: ReturnType<typeof temporaryFile>
  let store: SqliteEventStore
  beforeEach(async () => {
    file = temporaryFile()
    store = sqliteEventStore({ path: file.path, clock: () => 1, projections: [] })
    await Promise.all(['s-1', 's-2'].map((stream) => appendAt(store, stream, noEvents, ids)))
  })
  afterEach(() => {
    store.close()
    file.remove()
  })

  const alter = (sql: string): void => {
    const database = openDatabase(file.path, { durability: 'full' })
    database.execute(sql)
    database.close()
  }

  it('a replay visits every event in log order and proves it', async () => {
    const shown: RecordedEvent[] = []
    const head = store.logHead()
    const verification = await replay(file.path, (event) => void shown.push(event), { expected: [head] })
    expect(verification).toEqual({ ok: true, events: 3_000, problems: [], head })
    expect(shown).toEqual(await readLog(store))
  })

  it('a replay visits exactly the verified events while the log grows', async () => {
    let shown = 0
    let appending: Promise<unknown> | null = null
    const verification = await replay(file.path, () => {
      shown += 1
      appending ??= appendAt(store, 's-3', noEvents, ids)
    })
    await appending
    expect(verification).toMatchObject({ ok: true, events: shown, head: { position: shown } })
  })

  it('a replay of an altered log visits the readable events and answers as verification does', async () => {
    alter(`UPDATE events SET data = '{"note":"another"}' WHERE position IN (7, 2500);
      UPDATE events SET data = 'no JSON' WHERE position = 9;
      DELETE FROM events WHERE position = 1200`)
    const shown: bigint[] = []
    const recorded = { position: 3_001, digest: 'f'.repeat(64) }
    const verification = await replay(file.path, ({ position }) => void shown.push(position), { expected: [recorded] })
    expect(verification).toEqual(await verify(file.path, { expected: [recorded] }))
    expect(verification.problems.length).toBeGreaterThan(4)
    expect(shown).toEqual(ids.concat(ids).flatMap((_, n) => ([9, 1_200].includes(n + 1) ? [] : [BigInt(n + 1)])))
  })

  it('a replay ends where its visitor throws', async () => {
    const fail = (): void => {
      throw new RangeError('not foldable')
    }
    await expect(replay(file.path, fail)).rejects.toThrow(new RangeError('not foldable'))
  })

  it('dropped events are a problem, not a crash', async () => {
    alter('DROP TABLE events')
    const shown: RecordedEvent[] = []
    const verification = await replay(file.path, (event) => void shown.push(event))
    expect(verification).toEqual(await verify(file.path))
    expect(verification.ok).toBe(false)
    expect(shown).toEqual([])
  })

  it('a missing log is a problem, not a crash', async () => {
    const missing = `${file.path}-missing`
    expect(await replay(missing, () => undefined)).toEqual(await verify(missing))
  })
})
