import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { right } from '@quittance/domain/testing/outcomes'
import * as E from 'fp-ts/lib/Either.js'
import { appendAt, readLog } from '../conformance/sample.ts'
import { noEvents } from '../port.ts'
import { openDatabase } from '../sqlite/database.ts'
import { type Peer, startPeer } from '../testing/peer/peer.ts'
import { type EventStoreDb, eventStoreDb } from './store.ts'
import type { RecordedHead } from './verification.ts'

describe('verifying a log on a server', () => {
  let folder: string
  let peer: Peer
  let log: EventStoreDb
  let heads: ReadonlyArray<RecordedHead>
  /** Writes two alternating streams: events 1 to 6 of the log, revisions 0 to 2 of each. */
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quittance-verify-'))
    peer = await startPeer({ path: join(folder, 'peer.db'), port: 0 })
    log = eventStoreDb({ connectionString: peer.connectionString, clock: Date.now, deadlineMs: 2_000 })
    let [one, two] = [noEvents, noEvents]
    for (const turn of [0, 1, 2]) {
      one = await appendAt(log, 'sample-1', one, [`1-${turn}`])
      two = await appendAt(log, 'sample-2', two, [`2-${turn}`])
    }
    heads = [{ stream: 'sample-2', ...two, events: 6 }]
  })
  afterEach(async () => {
    await log.close()
    await peer.stop()
    rmSync(folder, { recursive: true })
  })
  const tamper = (sql: string): void => {
    const database = openDatabase(join(folder, 'peer.db'), { durability: 'relaxedLosesCommitsOnPowerLoss' })
    database.execute(sql)
    database.close()
  }
  const verified = async (known: ReadonlyArray<RecordedHead> = []) => right(await log.verify(known)())
  const at = (stream: string, revision: bigint, problem: unknown) => ({ stream, revision, problem })
  const broken = 'its hash does not match its content'
  const replaced = (column: string, from: string, to: string): string =>
    `${column} = CAST(replace(CAST(${column} AS TEXT), '${from}', '${to}') AS BLOB)`

  it("verification accepts written events and skips the server's and other applications'", async () => {
    expect(await verified(heads)).toEqual({ ok: true, events: 6, problems: [] })
    tamper(`INSERT INTO peer_events SELECT 7, 999, 999, 'another-1', 0, 'x', type, content_type, x'7B7D', x'7B7D', 0
              FROM peer_events WHERE sequence = 1;
            INSERT INTO peer_events SELECT 8, 1999, 1999, '$stats', 0, 'y', type, content_type, x'7B7D', x'7B7D', 0
              FROM peer_events WHERE sequence = 1`)
    expect(await verified(heads)).toEqual({ ok: true, events: 6, problems: [] })
  })

  it.each([
    { what: 'data', set: replaced('data', '1-1', '1-x'), found: [at('sample-1', 1n, broken)] },
    { what: 'an id', set: replaced('metadata', '"id":"1-1"', '"id":"1-x"'), found: [at('sample-1', 1n, broken)] },
    { what: 'what metadata says', set: replaced('metadata', 'key_1', 'key_2'), found: [at('sample-1', 1n, broken)] },
    {
      what: 'what metadata says beside',
      set: replaced('metadata', '{"actor"', '{"a":1,"actor"'),
      found: [at('sample-1', 1n, broken)],
    },
    { what: 'a type', set: "type = 'SampleLost'", found: [at('sample-1', 1n, broken)] },
    {
      what: 'data, to what no event holds',
      set: replaced('data', '"1-1"', '1.5'),
      found: [at('sample-1', 1n, 'holds what no event can hold'), at('sample-1', 1n, 'is missing')],
    },
    { what: 'data, to no JSON', set: "data = CAST('{' AS BLOB)", found: [at('sample-1', 1n, 'is missing')] },
    { what: 'metadata, to that of others', set: "metadata = x'7B7D'", found: [at('sample-1', 1n, 'is missing')] },
    {
      what: 'the name of the stream',
      set: "stream = 'sample-3'",
      found: [at('sample-3', 1n, broken), at('sample-1', 1n, 'is missing')],
    },
  ])('names the event of which somebody has changed $what', async ({ set, found }) => {
    tamper(`UPDATE peer_events SET ${set} WHERE sequence = 3`)
    expect((await verified(heads)).problems).toEqual(expect.arrayContaining(found))
    expect((await verified()).problems).toEqual(found)
  })

  it('verification names an unreadable last event of a stream', async () => {
    tamper("UPDATE peer_events SET data = CAST('{' AS BLOB) WHERE sequence = 6")
    expect(await verified()).toEqual({ ok: false, events: 5, problems: [at('sample-2', 2n, 'cannot be read')] })
  })

  it('verification names missing and misplaced events of a stream', async () => {
    tamper('DELETE FROM peer_events WHERE sequence = 3')
    expect((await verified()).problems).toEqual([at('sample-1', 1n, 'is missing')])
    tamper('UPDATE peer_events SET sequence = 9, commit_at = 9000, prepare_at = 9000 WHERE sequence = 1')
    expect((await verified()).problems).toEqual([
      at('sample-1', 0n, 'is missing, and so are all up to 1'),
      at('sample-1', 0n, 'stands behind a later event of its stream'),
    ])
  })

  it('verification finds against a recorded head that the end was cut or rewritten, or a stream is gone', async () => {
    tamper("DELETE FROM peer_events WHERE stream = 'sample-1'")
    expect(await verified()).toEqual({ ok: true, events: 3, problems: [] })
    const fewer = 'is event 3 of the log, but was event 6 when it was recorded'
    expect((await verified(heads)).problems).toEqual([at('sample-2', 2n, fewer)])
    tamper('DELETE FROM peer_events WHERE sequence = 6')
    const gone = 'is missing, though it was recorded as the last event of the log'
    expect([await verified(), (await verified(heads)).problems]).toEqual([
      { ok: true, events: 2, problems: [] },
      [at('sample-2', 2n, gone)],
    ])
    const last = (await readLog(log)).at(-1)
    await appendAt(log, 'sample-2', { revision: 1n, hash: last?.metadata.hash ?? '' }, ['forged'])
    const other = 'is not the event that was recorded as the last one of the log'
    expect((await verified(heads)).problems).toEqual([at('sample-2', 2n, other)])
  })

  it('verification reports an unreadable log', async () => {
    peer.misbehave({ _tag: 'unavailable' })
    expect(await log.verify([])()).toEqual(E.left({ _tag: 'StoreUnavailable', cause: expect.any(Error) }))
  }, 20_000)
})
