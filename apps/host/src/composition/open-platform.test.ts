import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asText, type Environment } from '@quittance/domain'
import { openDatabase, sqliteEventStore } from '@quittance/event-store/sqlite'
import { type Peer, startPeer } from '@quittance/event-store/testing/peer'
import { listen, openSandbox } from '@quittance/sandbox'
import { defaultPassphrase } from '@quittance/sandbox/testing/internals'
import * as E from 'fp-ts/lib/Either.js'
import { Container, type ServiceIdentifier } from 'inversify'
import { configFrom } from '../config.ts'
import { openPlatform } from './open-platform.ts'
import { openRoot } from './open-root.ts'
import * as tokens from './tokens.ts'

describe('opening a data directory', () => {
  let directory: string
  let peer: Peer
  beforeAll(async () => {
    peer = await startPeer({ path: ':memory:', port: 0 })
  })
  afterAll(() => peer.stop())
  const configOf = (more: Readonly<Record<string, string>>) => {
    const config = configFrom({ QUITTANCE_DATA_DIR: directory, ...more })
    if (E.isLeft(config)) throw new Error('the example configuration is wrong')
    return config.right
  }
  const open = async (more: Readonly<Record<string, string>> = {}) => openPlatform(configOf(more))
  const openAndClose = async (): Promise<void> => {
    const opened = await open()
    if (E.isLeft(opened)) throw new Error('it did not open')
    await opened.right.close()
  }
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'quittance-host-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  it.each([
    ['in the directory', false],
    ['on a server', true],
  ])(
    'resolves every binding on an empty directory, and again on the files that it has written: events %s',
    async (_, onServer) => {
      for (const _ of ['empty', 'written']) {
        const container = new Container({ defaultScope: 'Singleton' })
        container.bind(tokens.OPERATOR_LOG).toConstantValue({ info: () => {}, warn: () => {}, error: () => {} })
        const config = configOf(onServer ? { QUITTANCE_EVENT_STORE: peer.connectionString } : {})
        const opened = await openRoot(container, config, tokens.PLATFORM)
        if (E.isLeft(opened)) throw new Error('it did not open')
        const resolved = Object.values<ServiceIdentifier>(tokens).map((token) => container.get(token))
        expect(resolved.filter((each) => each === undefined)).toEqual([])
        const { billing, workers, clock, sandbox, readiness } = opened.right
        expect({
          merchants: await billing.merchants.names(),
          workers: workers.length,
          tells: clock.now('testnet') > 0,
          isOwn: sandbox?.isOwn,
          sandboxFacts: container.get(tokens.DATA_DIR).sandboxFacts,
          readiness: await readiness(),
        }).toEqual({
          merchants: [],
          workers: 1,
          tells: true,
          isOwn: true,
          sandboxFacts: join(directory, 'sandbox.json'),
          readiness: expect.objectContaining({
            status: 'ready',
            store: { position: 0 },
            read_models: expect.objectContaining({ lag: 0, defect: null }),
          }),
        })
        await opened.right.close()
      }
    },
  )

  it('names nodes of another network before it opens anything', async () => {
    const database = openDatabase(':memory:', { durability: 'full' })
    const node = await listen(openSandbox({ database, wallClock: Date.now, passphrase: 'Another Network' }))
    const expected = `nodes of the network "Test SDF Network ; September 2015" (QUITTANCE_TESTNET_PASSPHRASE); ${new URL(node.url).host} is of "Another Network"`
    rmSync(directory, { recursive: true })
    expect(await open({ QUITTANCE_TESTNET_RPC_URLS: node.url })).toEqual(
      E.left([{ variable: 'QUITTANCE_TESTNET_RPC_URLS', expected }]),
    )
    expect(existsSync(directory)).toBe(false)
    await node.close()
    mkdirSync(directory)
  })

  it('names the data directory when its merchants are paid on another network', async () => {
    const opened = await open()
    if (E.isLeft(opened)) throw new Error('it did not open')
    const { billing, clock, close } = opened.right
    const commandId = billing.freshId()
    const operator = {
      commandId,
      correlationId: commandId,
      causationId: null,
      actor: 'operator',
      at: clock.now('testnet'),
    }
    await billing.merchants.create({ environment: 'testnet', ...operator }, asText('A merchant'))()
    await close()
    const settings = {
      QUITTANCE_TESTNET_RPC_URLS: 'http://127.0.0.1:1',
      QUITTANCE_MASTER_KEY: readFileSync(join(directory, 'master.key'), 'utf8').trim(),
    }
    const expected = `a directory of the testnet network "Test SDF Network ; September 2015"; merchants in it are paid on "${defaultPassphrase}"`
    expect(await open(settings)).toEqual(E.left([{ variable: 'QUITTANCE_DATA_DIR', expected }]))
  })

  it('opens a data directory while no node answers', async () => {
    const masterKey = 'a'.repeat(64)
    const opened = await open({ QUITTANCE_TESTNET_RPC_URLS: 'http://127.0.0.1:1', QUITTANCE_MASTER_KEY: masterKey })
    expect(E.isRight(opened) && (await opened.right.readiness()).status).toBe('not_ready')
    if (E.isRight(opened)) await opened.right.close()
  })

  it('never replaces a lost master key', async () => {
    await openAndClose()
    const file = join(directory, 'master.key')
    rmSync(file)
    const expected = `the key that the data directory was written under, or ${file} must hold it`
    expect(await open()).toEqual(E.left([{ variable: 'QUITTANCE_MASTER_KEY', expected }]))
    expect(existsSync(file)).toBe(false)
  })

  it('names a master key that does not fit the data', async () => {
    await openAndClose()
    expect(await open({ QUITTANCE_MASTER_KEY: '0'.repeat(64) })).toEqual(
      E.left([{ variable: 'QUITTANCE_MASTER_KEY', expected: 'the key that the data directory was written under' }]),
    )
  })

  const createMerchant = async (environment: Environment, more: Readonly<Record<string, string>> = {}) => {
    const opened = await open(more)
    if (E.isLeft(opened)) throw new Error('it did not open')
    const { billing, clock, close } = opened.right
    const commandId = billing.freshId()
    const by = { commandId, correlationId: commandId, causationId: null, actor: 'operator', at: clock.now(environment) }
    const made = await billing.merchants.create({ environment, ...by }, asText('A merchant'))()
    expect(made).toMatchObject({ _tag: 'Right' })
    await close()
  }

  it.each<[string, () => void]>([
    ['is missing', () => {}],
    ['is an empty file', () => writeFileSync(join(directory, 'quittance.db'), '')],
    [
      'has no events',
      () => sqliteEventStore({ path: join(directory, 'quittance.db'), clock: Date.now, projections: [] }).close(),
    ],
  ])('makes nothing when the log %s, although the vault and the mark name its last event', async (_, replace) => {
    await createMerchant('testnet')
    const mark = JSON.parse(readFileSync(join(directory, 'log-mark.json'), 'utf8'))
    rmSync(join(directory, 'quittance.db'))
    replace()
    const before = readdirSync(directory)
    const lost = `quittance.db is missing or empty, although event ${mark.position} was written to it`
    const expected = `a directory with its log: ${lost}. Copy it from a backup (docs/backup.md), or restore the whole backup: quittance restore <directory> --force`
    expect(await open()).toEqual(E.left([{ variable: 'QUITTANCE_DATA_DIR', expected }]))
    expect(readdirSync(directory).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(before)
  })

  it('opens no sandbox in a directory with live merchants, unless it is requested by name', async () => {
    const key = { QUITTANCE_MASTER_KEY: 'a'.repeat(64) }
    const database = openDatabase(':memory:', { durability: 'full' })
    const node = await listen(openSandbox({ database, wallClock: Date.now, passphrase: 'A Main Network' }))
    const mainnet = { QUITTANCE_MAINNET_RPC_URLS: node.url, QUITTANCE_MAINNET_PASSPHRASE: 'A Main Network' }
    await createMerchant('mainnet', { ...key, ...mainnet })
    await node.close()
    const expected =
      'set, since the data directory (QUITTANCE_DATA_DIR) holds live merchants; QUITTANCE_SANDBOX=1 serves its sandbox without them'
    const refusal = E.left([{ variable: 'QUITTANCE_MAINNET_RPC_URLS', expected }])
    expect(await open(key)).toEqual(refusal)
    expect(await open({ ...key, QUITTANCE_TESTNET_RPC_URLS: 'http://127.0.0.1:1' })).toEqual(refusal)
    expect(existsSync(join(directory, 'sandbox.db'))).toBe(false)
    const requested = await open({ ...key, QUITTANCE_SANDBOX: '1' })
    expect(E.isRight(requested)).toBe(true)
    if (E.isRight(requested)) await requested.right.close()
  })

  it('names the data directory when a newer release wrote its log', async () => {
    await openAndClose()
    const database = openDatabase(join(directory, 'quittance.db'), { durability: 'full' })
    database.execute('PRAGMA user_version = 99')
    database.close()
    expect(await open()).toEqual(
      E.left([{ variable: 'QUITTANCE_DATA_DIR', expected: expect.stringContaining('schema version 99') }]),
    )
  })

  it('names the event that this release cannot read', async () => {
    const opened = await open()
    if (E.isLeft(opened)) throw new Error('it did not open')
    const { billing, clock, close } = opened.right
    const commandId = billing.freshId()
    const operator = {
      commandId,
      correlationId: commandId,
      causationId: null,
      actor: 'operator',
      at: clock.now('testnet'),
    }
    await billing.merchants.create({ environment: 'testnet', ...operator }, asText('A merchant'))()
    await close()
    const database = openDatabase(join(directory, 'quittance.db'), { durability: 'full' })
    database.execute("UPDATE events SET type = 'MerchantPraised' WHERE position = 1")
    database.execute('DELETE FROM inline_projections')
    database.close()
    const expected = expect.stringMatching(
      /^a directory whose log this release can read \(MerchantPraised\/1 at merchant-mer_\w+@0: unknown type or schema version\)$/,
    )
    expect(await open()).toEqual(E.left([{ variable: 'QUITTANCE_DATA_DIR', expected }]))
  })

  it('makes every file of the data directory for its owner alone, and mends files of an earlier release', async () => {
    const modes = () =>
      Object.fromEntries(
        readdirSync(directory).map((name) => [name, (statSync(join(directory, name)).mode & 0o777).toString(8)]),
      )
    const databases = ['quittance.db', 'vault.db', 'sandbox.db']
    const ownersAlone = Object.fromEntries(
      [...databases.flatMap((name) => [name, `${name}-wal`, `${name}-shm`]), 'master.key'].map((name) => [name, '600']),
    )
    for (const _ of ['new', 'of an earlier release']) {
      const opened = await open()
      expect(modes()).toEqual(ownersAlone)
      if (E.isRight(opened)) await opened.right.close()
      for (const name of [...databases, 'master.key']) chmodSync(join(directory, name), 0o644)
    }
  })

  it('names the data directory when a file in it is no database', async () => {
    writeFileSync(join(directory, 'quittance.db'), 'no database'.repeat(500))
    expect(await open()).toEqual(
      E.left([
        { variable: 'QUITTANCE_DATA_DIR', expected: 'a directory whose files can be used (file is not a database)' },
      ]),
    )
  })

  const eventStore = (expected: string) => E.left([{ variable: 'QUITTANCE_EVENT_STORE', expected }])

  it('names an event store whose connection string is invalid or that does not answer', async () => {
    expect(await open({ QUITTANCE_EVENT_STORE: 'esdb://127.0.0.1:1' })).toEqual(
      eventStore(expect.stringContaining('a connection string that can be used')),
    )
    expect(await open({ QUITTANCE_EVENT_STORE: 'esdb://127.0.0.1:1?tls=false' })).toEqual(
      eventStore(expect.stringContaining('an event store that answers')),
    )
  }, 30_000)

  it('names a remote event store when the data directory has its own log', async () => {
    await openAndClose()
    expect(await open({ QUITTANCE_EVENT_STORE: peer.connectionString })).toEqual(
      eventStore('sqlite: the data directory holds an event log of its own'),
    )
  })

  it('names the event store when the read models belong to another one', async () => {
    const [mine, others] = [await startPeer({ path: ':memory:', port: 0 }), peer]
    const opened = await open({ QUITTANCE_EVENT_STORE: mine.connectionString })
    if (E.isLeft(opened)) throw new Error('it did not open')
    const { billing, clock } = opened.right
    const commandId = billing.freshId()
    const operator = {
      commandId,
      correlationId: commandId,
      causationId: null,
      actor: 'operator',
      at: clock.now('testnet'),
    }
    await billing.merchants.create({ environment: 'testnet', ...operator }, asText('A merchant'))()
    await opened.right.close()
    await mine.stop()
    const otherOne = eventStore('the event store that the data directory was written beside')
    expect(await open({ QUITTANCE_EVENT_STORE: others.connectionString })).toEqual(otherOne)
    expect(await open()).toEqual(otherOne)
  })

  it('names the data directory when it is a file', async () => {
    const file = join(directory, 'file')
    writeFileSync(file, '')
    expect(await open({ QUITTANCE_DATA_DIR: file })).toEqual(
      E.left([{ variable: 'QUITTANCE_DATA_DIR', expected: expect.stringContaining('EEXIST') }]),
    )
  })

  it.each([
    ['in the directory', false],
    ['on a server', true],
  ])('refuses to open without the vault of the log, and does not replace it: events %s', async (_, onServer) => {
    const settings = onServer ? { QUITTANCE_EVENT_STORE: peer.connectionString } : {}
    const opened = await open(settings)
    if (E.isLeft(opened)) throw new Error('it did not open')
    const { billing, clock, close } = opened.right
    const context = {
      environment: 'testnet',
      commandId: billing.freshId(),
      actor: 'test',
      at: clock.now('testnet'),
    } as const
    const whole = { ...context, correlationId: context.commandId, causationId: null }
    expect(E.isRight(await billing.merchants.create(whole, asText('Ada'))())).toBe(true)
    await close()
    for (const file of ['vault.db', 'vault.db-wal', 'vault.db-shm']) rmSync(join(directory, file), { force: true })
    const expected = {
      variable: 'QUITTANCE_DATA_DIR',
      expected: 'a directory with the vault.db that belongs to its log',
    }
    for (const _ of ['first', 'again']) {
      const without = await open(settings)
      if (E.isRight(without)) await without.right.close()
      expect(without).toEqual(E.left([expected]))
    }
  })
})
