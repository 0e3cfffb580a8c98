import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { right } from '@quittance/domain/testing/outcomes'
import * as E from 'fp-ts/lib/Either.js'
import { appendAt } from '../conformance/sample.ts'
import { noEvents } from '../port.ts'
import { intoPostgres } from '../postgres/into-postgres.ts'
import { postgresLogReader } from '../postgres/log-reader.ts'
import { type Cluster, startCluster } from '../postgres/testing/cluster.ts'
import { verify as verifyDatabase } from '../postgres/verify.ts'
import { verify as verifyFile } from '../sqlite/verify.ts'
import { copyLog } from './copy-log.ts'
import {
  compare,
  content,
  copy,
  counts,
  fill,
  inSchema,
  type LogAddress,
  logs,
  openStore,
  openTarget,
  schemaOf,
} from './testing/logs.ts'

const script = fileURLToPath(new URL('./testing/copying-process.ts', import.meta.url))

describe('copying a log to and from PostgreSQL', () => {
  let cluster: Cluster
  let made: ReturnType<typeof logs>
  beforeAll(async () => {
    cluster = await startCluster()
  })
  afterAll(() => cluster.remove())
  beforeEach(() => {
    made = logs()
  })
  afterEach(() => made.clear())

  const make = {
    file: () => made.file(),
    server: () => made.server(),
    database: async (): Promise<LogAddress> => inSchema(cluster.connectionString, cluster.newSchema()),
  }
  const directions = [
    ['file', 'database'],
    ['database', 'file'],
    ['database', 'database'],
    ['server', 'database'],
    ['database', 'server'],
  ] as const

  /** All columns of a log in PostgreSQL, as bytes. */
  const rows = (address: LogAddress) =>
    cluster.sql(`SELECT * FROM ${schemaOf(address).schema}.events ORDER BY position`)

  it('a copy from a file and back is the same byte for byte, with positions, recording times and digest', async () => {
    const [source, database, back, again] = [
      await make.file(),
      await make.database(),
      await make.file(),
      await make.database(),
    ]
    await fill(source, 60, 0, 20)
    const events = (await content(source, true)).length
    for (const [from, to] of [
      [source, database],
      [database, back],
      [back, again],
    ] as const)
      expect((await copy(from, to)).outcome).toEqual(E.right({ events, copied: events }))
    expect(await content(database, true)).toEqual(await content(source, true))
    expect(await content(back, true)).toEqual(await content(source, true))
    expect(await rows(again)).toEqual(await rows(database))
    const [first, last] = [await verifyFile(source), await verifyFile(back)]
    expect(last).toEqual(first)
    const proven = await verifyDatabase(schemaOf(database))
    expect(proven).toEqual({ ok: true, events, problems: [], head: first.head })
  })

  it.each(directions)('copying from a %s to a %s again copies only later events', async (from, to) => {
    const [source, target] = [await make[from](), await make[to]()]
    if (from !== 'database') expect((await copy(source, target)).outcome).toEqual(E.right({ events: 0, copied: 0 }))
    await fill(source, 20)
    expect((await copy(source, target)).outcome).toEqual(E.right({ events: 39, copied: 39 }))
    expect((await copy(source, target)).outcome).toEqual(E.right({ events: 39, copied: 0 }))
    await fill(source, 5, 20)
    expect((await copy(source, target)).outcome).toEqual(E.right({ events: 49, copied: 10 }))
    const isTimed = to !== 'server'
    expect(await content(target, isTimed)).toEqual(await content(source, isTimed))
    expect((await compare(source, target, 49)).outcome).toMatchObject(E.right({ events: 49, problems: [] }))
  })

  it.each(directions)('copying from a %s refuses a %s with other events, and writes nothing', async (from, to) => {
    const [source, target] = [await make[from](), await make[to]()]
    await fill(source, 10)
    const other = await openStore(target)
    await appendAt(other.log, 'sample-0', noEvents, ['other'])
    await other.close()
    const before = await content(target, true)
    expect((await copy(source, target)).outcome).toEqual(
      E.left({ _tag: 'ForeignTarget', stream: 'sample-0', revision: 0n }),
    )
    expect(await content(target, true)).toEqual(before)
  })

  it('refuses a database with more events than the source', async () => {
    const [source, target] = [await make.file(), await make.database()]
    await fill(source, 10)
    right((await copy(source, target)).outcome)
    await fill(target, 1, 10)
    const foreign = E.left({ _tag: 'ForeignTarget', stream: 'sample-2', revision: expect.any(BigInt) })
    expect((await copy(source, target)).outcome).toEqual(foreign)
  })

  it('refuses a database that another process writes meanwhile', async () => {
    const [source, target] = [await make.file(), await make.database()]
    await fill(source, 10, 0, 119)
    const [reading, writing, other] = [await openStore(source), await openTarget(target), await openStore(target)]
    let isFirst = true
    const outcome = await copyLog({
      source: {
        readAll: async function* (after) {
          for await (const event of reading.log.readAll(after)) {
            yield event
            if (isFirst) await appendAt(other.log, 'other-1', noEvents, ['other'])
            isFirst = false
          }
        },
      },
      target: writing.log,
      onProgress: () => {},
    })()
    expect(outcome).toEqual(E.left({ _tag: 'TargetChanged' }))
    for (const { close } of [reading, writing, other]) await close()
  })

  it('names the database that cannot be read or written, and goes on once it can', async () => {
    const [source, target] = [await make.file(), await make.database()]
    await fill(source, 10)
    const writing = await openTarget(target)
    const reading = await openStore(source)
    const { schema } = schemaOf(target)
    await cluster.sql(`ALTER TABLE ${schema}.events ADD CONSTRAINT small CHECK (position < 10)`)
    const attempt = copyLog({ source: reading.log, target: writing.log, onProgress: () => {} })
    expect(await attempt()).toMatchObject(E.left({ _tag: 'LogUnavailable', log: 'target' }))
    expect(await rows(target)).toEqual([])
    await cluster.sql(`ALTER TABLE ${schema}.events DROP CONSTRAINT small`)
    expect(E.map(counts)(await attempt())).toEqual(E.right({ events: 19, copied: 19 }))
    for (const { close } of [reading, writing]) await close()
    await cluster.sql(`UPDATE ${schema}.events SET data = '{' WHERE position = 3`)
    expect((await copy(target, await make.file())).outcome).toMatchObject(
      E.left({ _tag: 'LogUnavailable', log: 'source' }),
    )
  })

  it('a reader of a log makes nothing where there is none', async () => {
    const schema = cluster.newSchema()
    expect(await postgresLogReader({ connectionString: cluster.connectionString, schema })).toBe(null)
    expect(await cluster.sql('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])).toEqual([])
    const nobody = `postgres://quittance@127.0.0.1:1/postgres`
    await expect(postgresLogReader({ connectionString: nobody, schema })).rejects.toThrow(/ECONNREFUSED/)
    await expect(intoPostgres({ connectionString: nobody, schema })).rejects.toThrow(/ECONNREFUSED/)
  })

  it.each(directions)('from a %s to a %s goes on where it was when its process is killed', async (from, to) => {
    const [source, target] = [await make[from](), await make[to]()]
    await fill(source, 60, 0, 199)
    let kills = 0
    for (const killedAt of [2_000, 5_000]) {
      const child = spawn(process.execPath, ['--no-warnings', script, source, target], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = once(child, 'close')
      child.stdout.on('data', (chunk) => {
        if (Number(String(chunk).trim().split('\n').at(-1)) >= killedAt) child.kill('SIGKILL')
      })
      const [, signal] = await ended
      if (signal === 'SIGKILL') kills += 1
    }
    expect(kills).toBeGreaterThan(0)
    const { outcome } = await copy(source, target)
    expect(outcome).toEqual(E.right({ events: 12_000, copied: expect.any(Number) }))
    expect((await compare(source, target, 12_000)).outcome).toMatchObject(E.right({ events: 12_000, problems: [] }))
  })
})
