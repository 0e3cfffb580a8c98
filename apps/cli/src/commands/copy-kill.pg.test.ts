import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cluster, startCluster } from '@quittance/event-store/postgres/testing/cluster'
import { type Peer, startPeer } from '@quittance/event-store/testing/peer'
import { dataFiles } from '@quittance/host'
import { quittance } from '../quittance.ts'
import { noScreen } from '../screen.ts'
import { isKilledAt } from '../testing/killed-command.ts'

const mostSteps = 60

describe('a copy that is killed while it is put in place', () => {
  let cluster: Cluster
  let peer: Peer
  let folder: string
  let databases = 0
  beforeAll(async () => {
    cluster = await startCluster()
    peer = await startPeer({ path: ':memory:', port: 0 })
    folder = mkdtempSync(join(tmpdir(), 'quittance-cli-copy-kill-'))
  })
  afterAll(async () => {
    await peer.stop()
    await cluster.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  type Settings = Readonly<Record<string, string>>
  const newDatabase = async (): Promise<string> => {
    databases += 1
    await cluster.sql(`CREATE DATABASE copied_${databases}`)
    return cluster.connectionString.replace('/postgres?', `/copied_${databases}?`)
  }
  const run = async (words: ReadonlyArray<string>, settings: Settings) => {
    const { status, stdout, stderr } = await quittance([...words, '--json'], settings, noScreen)
    return { status, answer: JSON.parse(status === 2 || stdout === '' ? stderr : stdout) }
  }
  const create = async (name: string, settings: Settings): Promise<void> => {
    expect(await run(['merchant', 'create', '--name', name], settings)).toMatchObject({ status: 0 })
  }
  /** The names of the merchants, or why no service starts. */
  const names = async (settings: Settings): Promise<unknown> => {
    const { status, answer } = await run(['merchant', 'list'], settings)
    return status === 0 ? answer.map(({ name }: { readonly name: string }) => name) : answer.error
  }
  const copyAgain = async (from: string, to: string, settings: Settings): Promise<void> => {
    expect(await run(['copy', '--from', from, '--to', to], settings)).toMatchObject({ status: 0, answer: { ok: true } })
  }
  const copyAgainText = expect.stringContaining('run quittance copy again')

  it('in a new directory lets no service begin a log there before the copy is run again', async () => {
    const [data, fresh, database] = [join(folder, 'data'), join(folder, 'fresh'), await newDatabase()]
    await create('Ada', { QUITTANCE_DATA_DIR: data })
    const settings = { QUITTANCE_DATA_DIR: data }
    await copyAgain(data, database, settings)
    const refused: Array<number> = []
    let step = 0
    for (; await isKilledAt('file', step, ['copy', '--from', database, '--to', fresh], settings); step += 1) {
      const { vault, events } = dataFiles(fresh)
      if (existsSync(vault) && !existsSync(events)) {
        expect(await names({ QUITTANCE_DATA_DIR: fresh })).toEqual(copyAgainText)
        refused.push(step)
      }
      await copyAgain(database, fresh, settings)
      expect(await names({ QUITTANCE_DATA_DIR: fresh })).toEqual(['Ada'])
      rmSync(fresh, { recursive: true })
    }
    // The vault comes first and the log last, with the other files in between.
    expect(refused.length).toBeGreaterThanOrEqual(2)
    expect(step).toBeLessThan(mostSteps)
  })

  it('over the files of another setting leaves those, or says to run the copy again, or is taken over by a start', async () => {
    const [data, before, database] = [join(folder, 'old'), join(folder, 'before'), await newDatabase()]
    const settings = { QUITTANCE_DATA_DIR: data }
    const onServer = { ...settings, QUITTANCE_EVENT_STORE: peer.connectionString }
    await create('Ada', onServer)
    await copyAgain(peer.connectionString, database, settings)
    await create('Bob', { ...settings, QUITTANCE_DATABASE_URL: database })
    cpSync(data, before, { recursive: true })
    const outcomes = new Set<string>()
    const withoutLog: Array<number> = []
    let step = 0
    for (; await isKilledAt('file', step, ['copy', '--from', database, '--to', data], settings); step += 1) {
      const { events, readModels } = dataFiles(data)
      const found = await names(settings)
      if (!existsSync(events) && !existsSync(readModels)) {
        withoutLog.push(step)
        expect(found).toEqual(copyAgainText)
        expect(await names(onServer)).toEqual(copyAgainText)
      }
      if (typeof found === 'string') {
        expect(found).toMatch(/run quittance copy again|the event store that the data directory was written beside/)
        outcomes.add('refused')
      } else {
        expect(found).toEqual(['Ada', 'Bob'])
        outcomes.add('new')
      }
      await copyAgain(database, data, settings)
      expect(await names(settings)).toEqual(['Ada', 'Bob'])
      rmSync(data, { recursive: true })
      cpSync(before, data, { recursive: true })
    }
    expect(outcomes).toEqual(new Set(['refused', 'new']))
    expect(withoutLog.length).toBeGreaterThanOrEqual(1)
    expect(step).toBeLessThan(mostSteps)
  })

  it.each([
    ['begins', 'CREATE TABLE IF NOT EXISTS copied_log', 1, 3],
    ['moves what is in no log', 'DELETE FROM "', 9, mostSteps * 3],
    ['ends', 'INSERT INTO copied_log', 1, mostSteps],
  ])(
    'in databases of log and vault, while it %s, lets no service start until it is run again',
    async (_, text, stride, most) => {
      const data = join(folder, `to-database-${stride}-${most}`)
      await create('Ada', { QUITTANCE_DATA_DIR: data })
      const settings = { QUITTANCE_DATA_DIR: data, QUITTANCE_TEST_COUNT_FROM: text }
      let killed = 0
      for (let step = 0; step < most; step += stride) {
        const [database, vault] = [await newDatabase(), await newDatabase()]
        const apart = { ...settings, QUITTANCE_VAULT_URL: vault }
        if (!(await isKilledAt('statement', step, ['copy', '--from', data, '--to', database], apart))) break
        killed += 1
        const onDatabase = { ...apart, QUITTANCE_DATABASE_URL: database }
        // Before the first statement of a copy the database is empty: a service may begin there.
        if (text !== 'CREATE TABLE IF NOT EXISTS copied_log') expect(await names(onDatabase)).toEqual(copyAgainText)
        await copyAgain(data, database, apart)
        expect(await names(onDatabase)).toEqual(['Ada'])
      }
      expect(killed).toBeGreaterThanOrEqual(2)
    },
  )
})
