import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { entryPoints, type Manifest, publishedPackages, readManifest, root } from './packages.ts'
import { asCommonJs, asEsModule, packedElsewhere, tarballName } from './testing/consumer.ts'
import { attempt, run, tool } from './testing/run.ts'

const exported = entryPoints().map(({ name }) => name)
const names = publishedPackages().map(({ manifest }) => manifest.name)
const { version, devDependencies } = readManifest('.')
/** Entry points whose client must be installed beside the packages. */
const optional = [
  ['@quittance/event-store/eventstoredb', '@eventstore/db-client'],
  ['@quittance/event-store/postgres', 'pg'],
  ['@quittance/projections/postgres', 'pg'],
] as const
const embedder = 'docs/example/embedded.ts'
const remoteLog = 'publishing/consumers/remote-log.ts'
const nodeTests = ['conformance-node-test', 'domain-node-test'].map((name) => `publishing/consumers/${name}.ts`)
const withoutClient = exported.filter((each) => optional.every(([name]) => name !== each))

let packed: ReturnType<typeof packedElsewhere>
let consumer: string
/** The oldest Node that is supported, and the one that runs this. */
const supported = ['22.14', '24']
const tooOld = ['20', '22.13']
const node: Record<string, string> = { 24: process.execPath }

const write = (file: string, text: string): string => {
  writeFileSync(join(consumer, file), text)
  return file
}
/** What a program prints, as a consumer in the folder of the installed packages. */
const on = (version: string, file: string, ...parameters: ReadonlyArray<string>) =>
  attempt(consumer, node[version] ?? '', file, ...parameters)

beforeAll(() => {
  packed = packedElsewhere()
  consumer = packed.installed(
    'consumer',
    ...packed.packages,
    `typescript@${devDependencies?.typescript}`,
    `@types/node@${devDependencies?.['@types/node']}`,
  )
  for (const each of [...tooOld, '22.14'])
    node[each] = join(packed.installed(`node-${each}`, `node@${each}`), 'node_modules/.bin/node')
})
afterAll(() => packed.remove())

describe.each(names)('the tarball of %s', (name) => {
  const tarball = () => join(packed.tarballs, tarballName(name, version))

  it('satisfies publint', () => expect(run(consumer, tool('publint'), tarball(), '--strict')).toContain('All good!'))
  it('has types that resolve as its modules do', () =>
    expect(
      run(consumer, tool('attw'), tarball(), '--profile', 'esm-only', '--format', 'ascii', '--no-color'),
    ).toContain('🟢'))
  it('holds no tests, and of the test helpers only those that it exports', () => {
    const files = run(consumer, 'tar', '-tzf', tarball()).split('\n')
    expect(files).toEqual(expect.arrayContaining(['package/package.json', 'package/README.md', 'package/LICENSE']))
    expect(files.filter((file) => file.includes('.test.'))).toEqual([])
    const helpers = files.filter((file) => /\/(testing|conformance)\//.test(file))
    expect(helpers.length > 0).toBe(exported.includes(`${name}/testing`))
  })
  it('depends on every package that its modules and declarations name', () => {
    const folder = join(consumer, 'node_modules', name)
    const { dependencies, peerDependencies }: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const texts = globSync('dist/**/*.{js,d.ts}', { cwd: folder }).map((file) =>
      readFileSync(join(folder, file), 'utf8'),
    )
    const named = texts.flatMap((text) =>
      [...text.matchAll(/(?: from |^import |import\()['"]((?:@[^/']+\/)?[\w-][^/'"]*)/gm)].map(([, each = '']) => each),
    )
    const foreign = new Set(named.filter((each) => !each.startsWith('node:')))
    const stated = new Set([...Object.keys({ ...dependencies, ...peerDependencies }), name])
    expect(foreign.size).toBeGreaterThan(0)
    expect([...foreign.difference(stated)]).toEqual([])
  })
  it('has maps that lead to its own sources', () => {
    const installed = join(consumer, 'node_modules', name, 'dist')
    for (const map of ['index.js.map', 'index.d.ts.map']) {
      const { sources } = JSON.parse(readFileSync(join(installed, map), 'utf8'))
      expect(sources.map((source: string) => existsSync(join(installed, source)))).toEqual([true])
    }
  })
})

it('every exported name says what it is, in the reference', () => {
  const written = attempt(root, process.execPath, join(root, 'publishing/reference.ts'))
  expect(written).toEqual({ status: 0, output: expect.stringMatching(/^docs\/api: \d+ names of 21 entry points\n$/) })
  expect(existsSync(join(root, 'docs/api/index.html'))).toBe(true)
})

describe('the packages, installed into an empty folder', () => {
  it('do not bring the clients of EventStoreDB and PostgreSQL', () =>
    expect(['@eventstore', '@grpc', 'pg'].filter((each) => existsSync(join(consumer, 'node_modules', each)))).toEqual(
      [],
    ))

  it.each(supported)(
    'sell in the sandbox with worker, deliverer and an own read model, as ES modules and as CommonJS, on Node %s',
    (nodeVersion) => {
      expect(on(nodeVersion, '--version').output).toMatch(`v${nodeVersion}.`)
      const proof = `
      import { replay } from '@quittance/event-store/sqlite'
      let events = 0
      const { ok } = await replay(process.argv[2], () => { events += 1 })
      console.log(ok, events > 0)`
      const sales = { 'sale.mjs': asEsModule(embedder), 'sale.cjs': asCommonJs(embedder) }
      for (const [file, text] of Object.entries(sales)) {
        const data = `${file}-${nodeVersion}`
        const sale = on(nodeVersion, write(file, text), data)
        expect(sale).toEqual({ status: 0, output: expect.stringContaining('"has_access":true') })
        expect(sale.output).toContain('checkout completed\npayment  13.5 USDC\n')
        expect(sale.output).toContain('takings  13.5\nrebuilt  takings 1 0\n')
        expect(on(nodeVersion, write('proof.mjs', proof), join(data, 'quittance.db'))).toEqual({
          status: 0,
          output: 'true true\n',
        })
      }
    },
  )

  it.each(supported)('have their log elsewhere than their read models, on Node %s', (nodeVersion) =>
    expect(on(nodeVersion, write('remote-log.mjs', asEsModule(remoteLog)), `remote-log-${nodeVersion}`)).toEqual({
      status: 0,
      output: 'listed   true\nproven   true\nrebuilt  merchants 1 0\n',
    }),
  )

  it.each(supported)('test their own event store and read model under the runner of Node %s', (nodeVersion) =>
    expect(
      nodeTests.map((source) => {
        const file = write(`${basename(source, '.ts')}.mjs`, asEsModule(source))
        const { status, output } = on(nodeVersion, '--test', '--test-reporter=tap', file)
        return [status, /^# pass (\d+)$/m.exec(output)?.[1], /^# fail (\d+)$/m.exec(output)?.[1]]
      }),
    ).toEqual([
      [0, '51', '0'],
      [0, '4', '0'],
    ]),
  )

  it('test their own event store under jest', () => {
    const file = write('conformance-jest.mjs', asEsModule('publishing/consumers/conformance-jest.ts'))
    const config = { testMatch: [`**/${file}`], moduleFileExtensions: ['mjs', 'js'], transform: {} }
    const jest = join(root, 'node_modules/jest/bin/jest.js')
    const named = ['--rootDir', consumer, '--env', join(root, 'node_modules/jest-environment-node')]
    const ended = on('24', '--experimental-vm-modules', jest, '--config', JSON.stringify(config), ...named)
    expect(ended).toEqual({ status: 0, output: expect.stringMatching(/^Tests: +52 passed, 52 total$/m) })
  })

  it.each(supported)('load by import and by require on Node %s', (nodeVersion) => {
    const imported = write('all.mjs', withoutClient.map((each) => `import '${each}'`).join('\n'))
    const required = write('all.cjs', withoutClient.map((each) => `require('${each}')`).join('\n'))
    expect([imported, required].map((file) => on(nodeVersion, file))).toEqual([
      { status: 0, output: '' },
      { status: 0, output: '' },
    ])
  })

  it.each(tooOld)('refuse SQLite on Node %s, with the reason', (nodeVersion) => {
    const open = `
      import { openDatabase } from '@quittance/event-store/sqlite'
      try { openDatabase('refused.db', { durability: 'full' }) } catch ({ message }) { console.log(message) }`
    expect(on(nodeVersion, write('refused.mjs', open))).toEqual({
      status: 0,
      output: expect.stringMatching(
        `^The SQLite event store needs Node 22 or later \\(22\\.14 at least\\); this is ${nodeVersion}\\.`,
      ),
    })
    expect(existsSync(join(consumer, 'refused.db'))).toBe(false)
  })

  it.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])(
    'have no type errors, their dependencies included, under module %s and moduleResolution %s',
    (module, moduleResolution) => {
      const all = exported.map((each, index) => `export * as entry${index} from '${each}'`).join('\n')
      const required = `import billing = require('@quittance/billing')\nexport type Billing = billing.Billing\n`
      const sources = [embedder, remoteLog, ...nodeTests]
      for (const source of sources) write(basename(source), readFileSync(join(root, source), 'utf8'))
      const files = [
        ...sources.map((source) => basename(source)),
        write('all.ts', all),
        ...(module === 'nodenext' ? [write('required.cts', required)] : []),
      ]
      const compilerOptions = {
        module,
        moduleResolution,
        target: 'es2024',
        strict: true,
        skipLibCheck: false,
        noEmit: true,
        types: ['node'],
      }
      write(
        'package.json',
        JSON.stringify({ ...JSON.parse(readFileSync(join(consumer, 'package.json'), 'utf8')), type: 'module' }),
      )
      write('tsconfig.json', JSON.stringify({ compilerOptions, files }))
      expect(attempt(consumer, join(consumer, 'node_modules/.bin/tsc'), '-p', '.')).toEqual({ status: 0, output: '' })
    },
  )

  it.each([
    [
      'only decimalFromStroops',
      `import { decimalFromStroops } from '@quittance/domain'; globalThis.used = decimalFromStroops`,
      10_000,
    ],
    ['the whole domain', `import * as domain from '@quittance/domain'; globalThis.used = domain`, 220_000],
    ['the whole client', `import * as client from '@quittance/client'; globalThis.used = client`, 125_000],
  ])('give a browser that uses %s a small bundle', (used, text, limit) => {
    run(
      consumer,
      tool('esbuild'),
      write('page.js', text),
      '--bundle',
      '--minify',
      '--format=esm',
      '--platform=browser',
      '--outfile=page.min.js',
    )
    const { size } = statSync(join(consumer, 'page.min.js'))
    console.info(`${used}: ${size} bytes`)
    expect(size).toBeLessThan(limit)
  })

  it.each(optional)('have %s, once %s is installed beside them', (name, client) => {
    expect(on('24', write('server.mjs', `await import('${name}')`)).output).toContain(`'${client}'`)
    run(consumer, 'npm', 'install', '--no-audit', '--no-fund', client)
    expect(on('24', 'server.mjs')).toEqual({ status: 0, output: '' })
    rmSync(join(consumer, 'node_modules', client), { recursive: true })
  })
})
