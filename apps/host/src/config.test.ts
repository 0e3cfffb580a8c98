import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountOf } from '@quittance/domain/testing'
import { publicRates } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { configFrom } from './config.ts'

const eventStoreIn = (text: string | undefined) =>
  E.map(({ eventStore }: { readonly eventStore: string | null }) => eventStore)(
    configFrom({ QUITTANCE_EVENT_STORE: text }),
  )

describe('the event store of a configuration', () => {
  it.each([undefined, '', 'sqlite'])('keeps events in a file of the data directory by default: %j', (text) => {
    expect(eventStoreIn(text)).toEqual(E.right(null))
  })

  it.each(['esdb://127.0.0.1:2113?tls=false', 'esdb+discover://a:b@nodes.example.org:2113', 'kurrentdb://one,two'])(
    'keeps events on the server of a connection string: %s',
    (text) => expect(eventStoreIn(text)).toEqual(E.right(text)),
  )

  it.each(['postgres://a:secret@db', 'esdb://', 'SQLite', 'a esdb://b'])(
    'rejects other event stores without repeating them, since they may be secrets: %s',
    (text) => {
      const expected = 'sqlite or a connection string (esdb://… or esdb+discover://…)'
      expect(eventStoreIn(text)).toEqual(E.left([{ variable: 'QUITTANCE_EVENT_STORE', expected }]))
    },
  )
})

describe('the deadline of a server that keeps the events', () => {
  const deadlineIn = (text: string | undefined) =>
    E.map(({ eventStoreDeadlineMs }: { readonly eventStoreDeadlineMs: number }) => eventStoreDeadlineMs)(
      configFrom({ QUITTANCE_EVENT_STORE_DEADLINE_MS: text }),
    )

  it.each([
    [undefined, 5_000],
    ['', 5_000],
    ['500', 500],
    ['60000', 60_000],
  ])('is %j in milliseconds, and 5 s by default', (text, deadlineMs) => {
    expect(deadlineIn(text)).toEqual(E.right(deadlineMs))
  })

  it.each(['499', '60001', '0', '-1', '5s', '1e3'])('is refused outside of 500 to 60000: %s', (text) => {
    const expected = 'milliseconds, from 500 to 60000'
    expect(deadlineIn(text)).toEqual(E.left([{ variable: 'QUITTANCE_EVENT_STORE_DEADLINE_MS', expected }]))
  })
})

describe('the processes of a configuration', () => {
  const ofNetwork = { QUITTANCE_TESTNET_RPC_URLS: 'http://127.0.0.1:8000' }
  const processesIn = (text: string | undefined, others: Readonly<Record<string, string>> = ofNetwork) =>
    E.map(({ processes }: { readonly processes: number }) => processes)(
      configFrom({ ...others, QUITTANCE_PROCESSES: text }),
    )

  it.each([
    [undefined, 1],
    ['1', 1],
    ['64', 64],
    ['auto', Math.min(availableParallelism(), 64)],
  ])('are %j, one by default, and as many as cores for auto', (text, processes) => {
    expect(processesIn(text)).toEqual(E.right(processes))
  })

  it.each(['0', '65', 'two', '-1'])('are refused outside of 1 to 64: %s', (text) => {
    const expected = 'a number from 1 to 64, or auto'
    expect(processesIn(text)).toEqual(E.left([{ variable: 'QUITTANCE_PROCESSES', expected }]))
  })

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['in the sandbox', {}, '1, since the sandbox keeps its mails in the memory of one process'],
    [
      'on PostgreSQL',
      { ...ofNetwork, QUITTANCE_DATABASE_URL: 'postgres://db' },
      '1, since QUITTANCE_DATABASE_URL is set: start several services, which share it',
    ],
    [
      'with a log on a server',
      { ...ofNetwork, QUITTANCE_EVENT_STORE: 'esdb://one' },
      '1, since a log on a server shows what one process writes to others later',
    ],
  ])('are one %s', (_, others, expected) => {
    expect(processesIn('2', others)).toEqual(E.left([{ variable: 'QUITTANCE_PROCESSES', expected }]))
    expect(processesIn('1', others)).toEqual(E.right(1))
  })
})

describe('the rates of a configuration', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-config-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const ratesIn = (text: string | undefined) => {
    const file = join(folder, 'rates.json')
    if (text !== undefined) writeFileSync(file, text)
    const config = configFrom({
      QUITTANCE_RATES: text === undefined ? join(folder, 'none.json') : file,
      QUITTANCE_PORT: 'x',
    })
    return E.isLeft(config) ? config.left.map(({ variable, expected }) => `${variable} must be ${expected}`) : []
  }

  it.each([undefined, '', 'sandbox'])('pins rates by default, in the sandbox alone: %j', (text) =>
    expect(configFrom({ QUITTANCE_RATES: text })).toMatchObject(E.right({ rates: null })),
  )
  it('takes the public rates when configured so', () =>
    expect(configFrom({ QUITTANCE_RATES: 'public' })).toMatchObject(E.right({ rates: publicRates })))
  it('takes rates from a file of sources', () => {
    const rates: unknown = JSON.parse(readFileSync('docs/example/rates.json', 'utf8'))
    expect(configFrom({ QUITTANCE_RATES: 'docs/example/rates.json' })).toMatchObject(E.right({ rates }))
  })
  it.each([
    [
      '{"sources":[{"kind":"open-er-api"}]}',
      ['sources.0.name must be Text', 'sources.0.url must be https address, or one of this machine'],
    ],
    ['{', ['it is no JSON']],
    [undefined, [`there is no file ${join(folder, 'none.json')} that can be read`]],
  ])('reports all problems of rates together with those of other variables: %s', (text, problems) =>
    expect(ratesIn(text)).toEqual([
      'QUITTANCE_PORT must be a port from 0 to 65535',
      ...problems.map(
        (each) => `QUITTANCE_RATES must be sandbox, public, or a file of sources, in which this is put right: ${each}`,
      ),
    ]),
  )
})

describe('the path finder of a configuration', () => {
  it('removes the final slash from the address of the path finder', () =>
    expect(configFrom({ QUITTANCE_PATHS_URL: 'https://horizon.example.org/' })).toMatchObject(
      E.right({ pathsUrls: { testnet: 'https://horizon.example.org', mainnet: null } }),
    ))
  it("uses the sandbox's path finder, or none, by default", () =>
    expect(configFrom({})).toMatchObject(E.right({ pathsUrls: { testnet: null, mainnet: null } })))
  it('rejects a path finder without an http(s) address', () =>
    expect(configFrom({ QUITTANCE_PATHS_URL: 'horizon' })).toEqual(
      E.left([{ variable: 'QUITTANCE_PATHS_URL', expected: 'an http(s) address' }]),
    ))
})

describe('the networks of a configuration', () => {
  const nodes = { QUITTANCE_MAINNET_RPC_URLS: 'https://one.example.org' }
  it.each([
    ['nothing', {}, true],
    ['a mainnet', nodes, false],
    ['a mainnet, and the sandbox by name', { ...nodes, QUITTANCE_SANDBOX: '1' }, true],
    ['a testnet', { QUITTANCE_TESTNET_RPC_URLS: 'https://one.example.org' }, false],
  ])('uses the sandbox only alone or by name: %s', (_, variables, usesSandbox) =>
    expect(configFrom(variables)).toMatchObject(E.right({ usesSandbox })),
  )
  it('rejects a sandbox beside nodes of the testnet', () => {
    const variables = { QUITTANCE_TESTNET_RPC_URLS: 'https://one.example.org', QUITTANCE_SANDBOX: '1' }
    const expected = 'unset, since the testnet has nodes of its own'
    expect(configFrom(variables)).toEqual(E.left([{ variable: 'QUITTANCE_SANDBOX', expected }]))
  })
  it('has a path finder for each network; one without a network serves the mainnet', () => {
    const [one, other] = ['https://one.example.org', 'https://other.example.org']
    const either = { ...nodes, QUITTANCE_PATHS_URL: one }
    expect(configFrom(either)).toMatchObject(E.right({ pathsUrls: { testnet: null, mainnet: one } }))
    const each = { ...nodes, QUITTANCE_PATHS_URL_TESTNET: other, QUITTANCE_PATHS_URL_MAINNET: one }
    expect(configFrom(each)).toMatchObject(E.right({ pathsUrls: { testnet: other, mainnet: one } }))
  })
})

describe('the metrics port of a configuration', () => {
  it.each([
    [undefined, null],
    ['0', 0],
    ['9464', 9464],
  ])('accepts the metrics port %j', (text, metricsPort) =>
    expect(configFrom({ QUITTANCE_METRICS_PORT: text })).toMatchObject(E.right({ metricsPort })),
  )
  it('rejects an impossible metrics port', () =>
    expect(configFrom({ QUITTANCE_METRICS_PORT: '65536' })).toEqual(
      E.left([{ variable: 'QUITTANCE_METRICS_PORT', expected: 'a port from 0 to 65535' }]),
    ))
})

describe('the shared accounts of a configuration', () => {
  const [one, other] = [accountOf(1), accountOf(2)]
  it.each<readonly [string | undefined, ReadonlyArray<string>]>([
    [undefined, []],
    ['', []],
    [one, [one]],
    [`${one}, ${other}`, [one, other]],
  ])('separates shared accounts by commas: %j', (text, accounts) =>
    expect(configFrom({ QUITTANCE_OMNIBUS_ACCOUNTS: text })).toMatchObject(
      E.right({ omnibusAccounts: new Set(accounts) }),
    ),
  )
  it.each(['GABC', `${one},`, `${one} ${other}`])('rejects shared accounts when one is not an account: %s', (text) =>
    expect(configFrom({ QUITTANCE_OMNIBUS_ACCOUNTS: text })).toEqual(
      E.left([{ variable: 'QUITTANCE_OMNIBUS_ACCOUNTS', expected: 'Stellar accounts (G…), separated by commas' }]),
    ),
  )
})

describe('the private addresses that webhooks may reach', () => {
  const holds = (text: string | undefined, address: string): unknown =>
    E.map(({ deliveryAllow }: { deliveryAllow: { holds: (address: string) => boolean } }) =>
      deliveryAllow.holds(address),
    )(configFrom({ QUITTANCE_DELIVERY_ALLOW: text }))
  it('lets webhooks reach private addresses only in the configured ranges', () => {
    expect(holds(undefined, '10.0.0.1')).toEqual(E.right(false))
    expect(holds('10.0.0.0/8, fd00::/8', '10.0.0.1')).toEqual(E.right(true))
    expect(holds('10.0.0.0/8, fd00::/8', '192.168.0.1')).toEqual(E.right(false))
  })
  it('rejects malformed ranges of private addresses', () =>
    expect(configFrom({ QUITTANCE_DELIVERY_ALLOW: 'localhost' })).toEqual(
      E.left([{ variable: 'QUITTANCE_DELIVERY_ALLOW', expected: 'ranges of addresses, separated by commas' }]),
    ))
})

describe('the names of a configuration', () => {
  it.each([
    ['QUITTANCE_MAINET_RPC_URLS', 'QUITTANCE_MAINNET_RPC_URLS'],
    ['QUITTANCE_MASTERKEY', 'QUITTANCE_MASTER_KEY'],
    ['QUITTANCE_API_KEYS', 'QUITTANCE_API_KEY'],
  ])('rejects a misspelt one, with the nearest known name: %s', (variable, name) => {
    const expected = `unset, since no setting has this name; the nearest is ${name}`
    expect(configFrom({ [variable]: 'x' })).toEqual(E.left([{ variable, expected }]))
    expect(configFrom({ [variable]: '' })).toMatchObject({ _tag: 'Right' })
  })
  it('takes the variables of commands and of tests', () =>
    expect(configFrom({ QUITTANCE_API_KEY: 'x', QUITTANCE_TEST_SEED: '1', PATH: 'x' })).toMatchObject({
      _tag: 'Right',
    }))
})

describe('the nodes of a configuration', () => {
  it.each(['https://one,https://one', 'https://one,https://two,https://ONE/'])(
    'rejects a node named twice: %s',
    (text) =>
      expect(configFrom({ QUITTANCE_TESTNET_RPC_URLS: text })).toMatchObject(
        E.left([
          { variable: 'QUITTANCE_TESTNET_RPC_URLS', expected: 'http(s) addresses, each once, separated by commas' },
        ]),
      ),
  )
})

describe('the secrets of a configuration in files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-secrets-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const key = 'ab'.repeat(32)

  it('reads a secret from the file that its variable names, without the white space around it', () =>
    expect(
      configFrom({
        QUITTANCE_MASTER_KEY_FILE: file('key', `${key}\n`),
        QUITTANCE_EVENT_STORE_FILE: file('store', 'esdb://a:b@one'),
        QUITTANCE_MAINNET_RPC_URLS_FILE: file('nodes', ' https://one.example.org/secret '),
        QUITTANCE_ASSETS_MAINNET: `ABC:${accountOf(1)}`,
      }),
    ).toMatchObject(
      E.right({
        masterKey: key,
        eventStore: 'esdb://a:b@one',
        networks: { mainnet: { rpcUrls: ['https://one.example.org/secret'] } },
      }),
    ))
  it.each([
    ['is set', { QUITTANCE_MASTER_KEY: key }, () => file('key', key), 'unset, since QUITTANCE_MASTER_KEY is set'],
    ['has an empty file', {}, () => file('empty', '\n'), 'a file that is not empty: '],
    ['has no file', {}, () => join(folder, 'none'), 'a file that can be read: '],
    ['has a directory', {}, () => folder, 'a file that can be read: '],
  ])('rejects a file for a variable that %s', (_, variables, path, expected) =>
    expect(configFrom({ ...variables, QUITTANCE_MASTER_KEY_FILE: path() })).toEqual(
      E.left([{ variable: 'QUITTANCE_MASTER_KEY_FILE', expected: expect.stringContaining(expected) }]),
    ),
  )
  it('does not repeat what a file holds', () =>
    expect(configFrom({ QUITTANCE_MASTER_KEY_FILE: file('key', 'secret') })).toEqual(
      E.left([{ variable: 'QUITTANCE_MASTER_KEY', expected: '64 hex digits' }]),
    ))
  it('takes an empty name of a file for none', () =>
    expect(configFrom({ QUITTANCE_MASTER_KEY_FILE: '', QUITTANCE_MASTER_KEY: key })).toMatchObject(
      E.right({ masterKey: key }),
    ))
  it('knows no file for other variables', () =>
    expect(configFrom({ QUITTANCE_PORT_FILE: file('port', '80') })).toMatchObject({ _tag: 'Left' }))
})
