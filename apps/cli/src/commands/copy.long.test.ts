import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lockFile, openDatabase, verify } from '@quittance/event-store/sqlite'
import { type Peer, startPeer } from '@quittance/event-store/testing/peer'
import { inlineProjections } from '@quittance/projections'
import { quittance } from '../quittance.ts'
import { noScreen } from '../screen.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))
const versionOf = (model: string) => inlineProjections.find(({ name }) => name === model)?.version

describe('copy', () => {
  let folder: string
  let peer: Peer
  let data: string
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quittance-cli-copy-'))
    data = join(folder, 'data')
    peer = await startPeer({ path: join(folder, 'peer.db'), port: 0 })
  })
  afterEach(async () => {
    await peer.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  type Settings = Readonly<Record<string, string>>
  const run = (words: ReadonlyArray<string>, settings: Settings = {}) => quittance(words, settings, noScreen)
  const json = async (words: ReadonlyArray<string>, settings: Settings = {}) => {
    const { status, stdout, stderr } = await run([...words, '--json'], settings)
    return { status, answer: JSON.parse(status === 2 || stdout === '' ? stderr : stdout) }
  }
  const onFile = (): Settings => ({ QUITTANCE_DATA_DIR: data })
  const onServer = (): Settings => ({ QUITTANCE_DATA_DIR: data, QUITTANCE_EVENT_STORE: peer.connectionString })
  const copy = (from: string, to: string, settings: Settings = {}) =>
    json(['copy', '--from', from, '--to', to], settings)
  const create = async (name: string, settings: Settings): Promise<void> => {
    expect((await json(['merchant', 'create', '--name', name], settings)).status).toBe(0)
  }
  const names = async (settings: Settings) => {
    const { answer } = await json(['merchant', 'list'], settings)
    return answer.map(({ name }: { readonly name: string }) => name)
  }
  const alter = (path: string, sql: string): void => {
    const database = openDatabase(path, { durability: 'full' })
    database.execute(sql)
    database.close()
  }
  const ok = (events: number, copied: number, streams: number, beside: string) => ({
    status: 0,
    answer: {
      ok: true,
      events,
      copied,
      streams,
      problems: [],
      read_models: expect.arrayContaining([
        { model: 'merchants', version: versionOf('merchants'), rows: streams, differing: 0, differences: [] },
        { model: 'exceptions', version: versionOf('exceptions'), rows: 0, differing: 0, differences: [] },
      ]),
      beside,
    },
  })
  const refusal = (code: string, error: unknown) => ({ status: 1, answer: { code, error } })

  it('copy moves a directory to a server and back, each time with the newest events', async () => {
    await create('Ada', onFile())
    expect(await copy(data, peer.connectionString)).toEqual(ok(5, 5, 1, 'at_first_start'))
    await create('Bob', onFile())
    expect(await run(['merchant', 'list'], onServer())).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('run quittance copy again'),
    })
    expect(await copy(data, peer.connectionString)).toEqual(ok(10, 5, 2, 'at_first_start'))
    expect(await names(onServer())).toEqual(['Ada', 'Bob'])
    expect((await run(['merchant', 'list'], onFile())).status).toBe(2)
    await create('Cyd', onServer())
    expect(await copy(peer.connectionString, data)).toEqual(ok(15, 15, 3, 'at_first_start'))
    expect(await names(onFile())).toEqual(['Ada', 'Bob', 'Cyd'])
    expect(await verify(join(data, 'quittance.db'))).toMatchObject({ ok: true, events: 15 })
    expect((await run(['merchant', 'list'], onServer())).status).toBe(2)
    await create('Dan', onFile())
    expect(await names(onFile())).toEqual(['Ada', 'Bob', 'Cyd', 'Dan'])
  })

  it('copy moves a file or a server to another directory with its keys, and brings the rest later', async () => {
    const [second, third] = [join(folder, 'second'), join(folder, 'third')]
    await create('Ada', onFile())
    expect(await copy(data, second)).toEqual(ok(5, 5, 1, 'in_place'))
    await create('Bob', onFile())
    expect(await copy(data, second)).toEqual(ok(10, 5, 2, 'in_place'))
    expect(await names({ QUITTANCE_DATA_DIR: second })).toEqual(['Ada', 'Bob'])
    expect(await copy(data, peer.connectionString, { QUITTANCE_DATA_DIR: third })).toEqual(ok(10, 10, 2, 'in_place'))
    expect(await names({ ...onServer(), QUITTANCE_DATA_DIR: third })).toEqual(['Ada', 'Bob'])
    await create('Cyd', { QUITTANCE_DATA_DIR: second })
    expect(await copy(data, second)).toEqual(
      refusal('foreign_target', expect.stringMatching(/not in the source: merchant-mer_\w+ @ 0\./)),
    )
    expect(await copy(data, peer.connectionString, { QUITTANCE_DATA_DIR: second })).toEqual(
      refusal('foreign_target', `${second} holds another deployment.`),
    )
  })

  it('copy brings only the log between files of other names, and between servers', async () => {
    await create('Ada', onFile())
    const file = join(folder, 'log.db')
    expect(await copy(data, file)).toEqual(ok(5, 5, 1, 'none'))
    expect(await verify(file)).toMatchObject({ ok: true, events: 5 })
    expect(await copy(file, peer.connectionString)).toEqual(ok(5, 5, 1, 'none'))
    const other = await startPeer({ path: ':memory:', port: 0 })
    expect(await copy(peer.connectionString, other.connectionString)).toEqual(ok(5, 5, 1, 'none'))
    await other.stop()
    expect(readdirSync(folder).filter((name) => !/peer|log|data/.test(name))).toEqual([])
  })

  it('copy puts a log without further data in place, but never over a service that was started meanwhile', async () => {
    await create('Ada', onFile())
    expect(await copy(join(data, 'quittance.db'), peer.connectionString)).toMatchObject({ status: 0 })
    const [fresh, third] = [join(folder, 'fresh'), join(folder, 'third')]
    expect(await copy(peer.connectionString, fresh)).toEqual(ok(5, 5, 1, 'none'))
    expect((await json(['verify'], { QUITTANCE_DATA_DIR: fresh })).answer).toMatchObject({ ok: true, events: 5 })
    mkdirSync(third)
    writeFileSync(join(third, 'quittance.db.copy'), '')
    await create('Bob', { QUITTANCE_DATA_DIR: third })
    expect(await copy(data, third)).toEqual(refusal('foreign_target', `${third} holds another deployment.`))
    expect(await names({ QUITTANCE_DATA_DIR: third })).toEqual(['Bob'])
  })

  it('copy continues after a kill at any moment', async () => {
    await create('Ada', onFile())
    for (let n = 0; n < 3; n += 1) {
      const words = [main, 'copy', '--from', data, '--to', peer.connectionString]
      const child = spawn(process.execPath, words, { stdio: 'ignore', env: {} })
      const ended = once(child, 'exit')
      const seen = peer.appendsSeen()
      // Kills at steps of the copy, not at times: as the file appears, as the server gets events, as the copy finishes.
      const isThere = [
        () => existsSync(join(data, 'read-models.db-copying')),
        () => peer.appendsSeen() > seen || n > 1,
        () => existsSync(join(data, 'read-models.db.copy')),
      ][n]
      while (child.exitCode === null && isThere?.() !== true) await new Promise((next) => setImmediate(next))
      child.kill('SIGKILL')
      await ended
      expect(await names(onFile())).toEqual(['Ada'])
    }
    expect(await copy(data, peer.connectionString)).toMatchObject({ status: 0, answer: { ok: true, events: 5 } })
    expect(await names(onServer())).toEqual(['Ada'])
  })

  it('copy names an altered event of the source, and a table of the copy that does not follow from the log', async () => {
    await create('Ada', onFile())
    const second = join(folder, 'second')
    expect(await copy(data, second)).toMatchObject({ status: 0 })
    alter(join(second, 'quittance.db'), `UPDATE merchants_${versionOf('merchants')} SET revision = 9`)
    expect(await copy(data, second)).toMatchObject({
      status: 1,
      answer: {
        ok: false,
        read_models: expect.arrayContaining([expect.objectContaining({ model: 'merchants', differing: 1 })]),
      },
    })
    alter(join(data, 'quittance.db'), "UPDATE events SET type = 'Altered' WHERE position = 3")
    expect(await copy(data, peer.connectionString)).toEqual(
      refusal('altered_log', expect.stringMatching(/^The source .*: merchant-mer_\w+ @ 2: its hash does not match/)),
    )
  })

  it('copy refuses unusable sources and targets, and says why', async () => {
    expect(await copy(data, peer.connectionString)).toEqual(
      refusal('no_event_log', `There is no event log at ${join(data, 'quittance.db')}.`),
    )
    await create('Ada', onFile())
    const other = join(folder, 'other')
    await create('Bob', { QUITTANCE_DATA_DIR: other })
    expect(await copy(data, other)).toEqual(refusal('foreign_target', `${other} holds another deployment.`))
    const release = lockFile(join(data, 'read-models.db-copying'))
    expect(await copy(data, peer.connectionString)).toEqual(
      refusal('already_copying', 'Another copy to this target is running: wait for its end.'),
    )
    release?.()
    writeFileSync(join(data, 'vault.db'), 'no database'.repeat(500))
    expect(await copy(data, join(folder, 'second'))).toEqual(
      refusal('store_unavailable', expect.stringMatching(/^A file cannot be used .*: it goes on\.$/)),
    )
    peer.misbehave({ _tag: 'unavailable' })
    expect(await copy(data, peer.connectionString)).toEqual(
      refusal('store_unavailable', expect.stringMatching(/^The target cannot be used/)),
    )
    for (const [from, to, error] of [
      [data, join(data, 'quittance.db'), '--from and --to name the same log.'],
      [peer.connectionString, peer.connectionString, '--from and --to name the same log.'],
      [data, 'esdb://127.0.0.1:1', expect.stringMatching(/^--to needs a connection string that can be used/)],
    ] as const) {
      expect(await copy(from, to)).toEqual({ status: 2, answer: { code: 'usage', error } })
    }
  })
})
