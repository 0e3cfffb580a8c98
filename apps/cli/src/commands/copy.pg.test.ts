import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changesOf } from '@quittance/event-store'
import { postgresPrograms } from '@quittance/event-store/postgres'
import { type Cluster, startCluster } from '@quittance/event-store/postgres/testing/cluster'
import { verify } from '@quittance/event-store/sqlite'
import { type Peer, startPeer } from '@quittance/event-store/testing/peer'
import { quittance } from '../quittance.ts'
import { noScreen } from '../screen.ts'

describe('copy to and from PostgreSQL', () => {
  let cluster: Cluster
  let folder: string
  let data: string
  let peer: Peer
  let databases = 0
  beforeAll(async () => {
    cluster = await startCluster()
    peer = await startPeer({ path: ':memory:', port: 0 })
  })
  afterAll(async () => {
    await peer.stop()
    await cluster.remove()
  })
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quittance-cli-copy-'))
    data = join(folder, 'data')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  type Settings = Readonly<Record<string, string>>
  const newDatabase = async (): Promise<string> => {
    databases += 1
    await cluster.sql(`CREATE DATABASE copied_${databases}`)
    return cluster.connectionString.replace('/postgres?', `/copied_${databases}?`)
  }
  const run = async (words: ReadonlyArray<string>, settings: Settings = {}) => {
    const { status, stdout, stderr } = await quittance([...words, '--json'], settings, noScreen)
    return { status, answer: JSON.parse(status === 2 || stdout === '' ? stderr : stdout) }
  }
  const copy = (from: string, to: string, settings: Settings = {}) =>
    run(['copy', '--from', from, '--to', to], settings)
  const onFile = (): Settings => ({ QUITTANCE_DATA_DIR: data })
  const on = (database: string): Settings => ({ QUITTANCE_DATA_DIR: data, QUITTANCE_DATABASE_URL: database })
  const create = async (name: string, settings: Settings): Promise<void> => {
    expect(await run(['merchant', 'create', '--name', name], settings)).toMatchObject({ status: 0 })
  }
  const names = async (settings: Settings) => {
    const { answer } = await run(['merchant', 'list'], settings)
    return Array.isArray(answer) ? answer.map(({ name }) => name) : answer
  }
  const ok = (events: number, copied: number, beside: string) => ({
    status: 0,
    answer: { ok: true, events, copied, problems: [], beside },
  })
  const refusal = (code: string, error: unknown) => ({ status: 1, answer: { code, error } })
  const inside = async (database: string, statement: string): Promise<void> => {
    const sql = await postgresPrograms({ connectionString: database })
    await sql.run(changesOf(statement))
    await sql.close()
  }

  it('moves a directory into a database and back, each time with the newest events', async () => {
    const database = await newDatabase()
    await create('Ada', onFile())
    expect(await copy(data, database)).toMatchObject(ok(5, 5, 'in_place'))
    await create('Bob', onFile())
    expect(await copy(data, database)).toMatchObject(ok(10, 5, 'in_place'))
    expect(await names(on(database))).toEqual(['Ada', 'Bob'])
    expect(await run(['verify'], on(database))).toMatchObject({ status: 0, answer: { ok: true, events: 10 } })
    await create('Cyd', on(database))
    expect(await copy(database, data)).toMatchObject(ok(15, 5, 'in_place'))
    expect(await names(onFile())).toEqual(['Ada', 'Bob', 'Cyd'])
    expect(await verify(join(data, 'quittance.db'))).toMatchObject({ ok: true, events: 15 })
    await create('Dan', onFile())
    expect(await copy(data, database)).toMatchObject(ok(20, 5, 'in_place'))
    expect(await names(on(database))).toEqual(['Ada', 'Bob', 'Cyd', 'Dan'])
  })

  it('moves a database to another directory, another database, and a server, and keeps old files', async () => {
    const [one, other] = [await newDatabase(), await newDatabase()]
    await create('Ada', onFile())
    expect(await copy(data, one)).toMatchObject(ok(5, 5, 'in_place'))
    expect(await copy(one, other, onFile())).toMatchObject(ok(5, 5, 'in_place'))
    expect(await names(on(other))).toEqual(['Ada'])
    const second = join(folder, 'second')
    expect(await copy(other, second, onFile())).toMatchObject(ok(5, 5, 'in_place'))
    expect(await names({ QUITTANCE_DATA_DIR: second })).toEqual(['Ada'])
    await create('Bob', on(other))
    expect(await copy(other, peer.connectionString, onFile())).toMatchObject(ok(10, 10, 'in_place'))
    expect(await names({ ...onFile(), QUITTANCE_EVENT_STORE: peer.connectionString })).toEqual(['Ada', 'Bob'])
    expect(readdirSync(data)).toEqual(expect.arrayContaining(['quittance.db.moved-1', 'read-models.db', 'vault.db']))
    const third = await newDatabase()
    expect(await copy(peer.connectionString, third, onFile())).toMatchObject(ok(10, 10, 'in_place'))
    expect(await names(on(third))).toEqual(['Ada', 'Bob'])
  })

  it('puts the vault in the database that the settings name for it', async () => {
    const [database, vault] = [await newDatabase(), await newDatabase()]
    const apart = { QUITTANCE_VAULT_URL: vault }
    await create('Ada', onFile())
    expect(await copy(data, database, apart)).toMatchObject(ok(5, 5, 'in_place'))
    expect(await names({ ...on(database), ...apart })).toEqual(['Ada'])
    const second = join(folder, 'second')
    expect(await copy(database, second, { ...onFile(), ...apart })).toMatchObject(ok(5, 5, 'in_place'))
    expect(await names({ QUITTANCE_DATA_DIR: second })).toEqual(['Ada'])
  })

  it('copies only the log of a file of another name', async () => {
    const [database, file] = [await newDatabase(), join(folder, 'log.db')]
    await create('Ada', onFile())
    expect(await copy(data, file)).toMatchObject(ok(5, 5, 'none'))
    expect(await copy(file, database)).toMatchObject(ok(5, 5, 'none'))
    expect(await copy(database, join(folder, 'back.db'))).toMatchObject(ok(5, 5, 'none'))
  })

  it('names rows that differ, and no service starts on a database until a copy to it is complete', async () => {
    const database = await newDatabase()
    await create('Ada', onFile())
    expect(await copy(data, database)).toMatchObject({ status: 0 })
    await create('Bob', onFile())
    const { answer } = await copy(data, database)
    const { version } = answer.read_models.find(({ model }: { readonly model: string }) => model === 'merchants')
    await inside(database, `UPDATE merchants_${version} SET revision = 900`)
    await create('Cyd', onFile())
    expect(await copy(data, database)).toMatchObject({
      status: 1,
      answer: {
        ok: false,
        read_models: expect.arrayContaining([expect.objectContaining({ model: 'merchants', differing: 2 })]),
      },
    })
    expect(await run(['merchant', 'list'], on(database))).toMatchObject({
      status: 2,
      answer: { error: expect.stringContaining('run quittance copy again') },
    })
    expect(await run(['rebuild'], on(database))).toMatchObject({ status: 1 })
    expect(await copy(data, database)).toMatchObject(ok(15, 0, 'in_place'))
    expect(await names(on(database))).toEqual(['Ada', 'Bob', 'Cyd'])
  })

  it('refuses other keys, another deployment and unusable databases, and leaves what is there as it was', async () => {
    const [database, empty] = [await newDatabase(), await newDatabase()]
    await create('Ada', onFile())
    const otherKey = { QUITTANCE_MASTER_KEY: 'ab'.repeat(32) }
    expect(await copy(data, database, otherKey)).toEqual(
      refusal('wrong_master_key', 'The vault of the source does not open under the master key.'),
    )
    expect(await copy(data, database)).toMatchObject({ status: 0 })
    const other = join(folder, 'other')
    await create('Eve', { QUITTANCE_DATA_DIR: other })
    expect(await copy(other, database)).toMatchObject(
      refusal('foreign_target', expect.stringMatching(/vault already, which does not open/)),
    )
    expect(await copy(database, other)).toMatchObject({ status: 1, answer: { code: 'wrong_master_key' } })
    expect(await names(on(database))).toEqual(['Ada'])
    expect(await names({ QUITTANCE_DATA_DIR: other })).toEqual(['Eve'])
    expect(await copy(database, empty)).toEqual(
      refusal('wrong_master_key', 'Set QUITTANCE_MASTER_KEY: the keys are only moved if the master key opens them.'),
    )
    expect(await copy(empty, data)).toEqual(refusal('no_event_log', 'There is no event log in the database.'))
    expect(await copy(data, 'postgres://quittance@127.0.0.1:1/nowhere')).toMatchObject({
      status: 1,
      answer: { code: 'store_unavailable', error: expect.stringMatching(/^A database cannot be used/) },
    })
    expect(await copy(database, database)).toMatchObject({ status: 2, answer: { code: 'usage' } })
  })
})
