import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockFile, openDatabase } from '@quittance/event-store/sqlite'
import { inlineProjections } from '@quittance/projections'
import { processMs, runInside, type TestDirectory, testDirectory } from '../testing/run-cli.ts'
import { merchantIn } from '../testing/shapes.ts'

const models = inlineProjections.map(({ name }) => name)
const versionOf = (model: string) => inlineProjections.find(({ name }) => name === model)?.version
const tableOf = (model: string) => `${model}_${versionOf(model)}`

describe('rebuild', () => {
  let directory: TestDirectory
  beforeEach(() => {
    directory = testDirectory()
  })
  afterEach(() => directory.remove())
  const eventLog = (): string => join(directory.path, 'quittance.db')
  const sql = (text: string): void => {
    const database = openDatabase(eventLog(), { durability: 'full' })
    database.execute(text)
    database.close()
  }
  const json = async (...words: ReadonlyArray<string>) => {
    const { status, stdout, stderr } = await directory.inside('rebuild', ...words, '--json')
    return { status, stderr, answer: JSON.parse(stdout) }
  }
  const rebuilt = (model: string, made: number, changed: object = {}) => ({
    model,
    version: versionOf(model),
    // What is told, if anything is, may be told by any event.
    events: made === 0 && model !== 'announcements' ? 0 : 5,
    rows: made,
    compared: true,
    differing: 0,
    differences: [],
    switched: true,
    ...changed,
  })

  it(
    'rebuilds all read models, finds them equal, and exits with status 0',
    async () => {
      await directory.json('merchant', 'create', '--name', 'Ada')
      const { status, stdout, stderr } = await directory.run('rebuild', '--json')
      expect({ status, stderr, answer: JSON.parse(stdout) }).toEqual({
        status: 0,
        stderr: '',
        answer: models.map((model) =>
          rebuilt(model, /^(merchants|api_keys|settlement_set_ups|watched_accounts)$/.test(model) ? 1 : 0),
        ),
      })
      expect(await directory.inside('rebuild', '--model', 'merchants')).toEqual({
        status: 0,
        stdout: 'MODEL      VERSION  EVENTS  ROWS  FOUND  SWITCHED\nmerchants  4        5       1     equal  yes\n',
        stderr: expect.stringMatching(/^merchants: 5 of 5 events, [\d,]+\/s, 1 row compared\n$/),
      })
    },
    processMs,
  )

  it(
    'names differences of read models with exit status 1, and heals them unless it only compares',
    async () => {
      const { merchantId } = merchantIn(await directory.json('merchant', 'create', '--name', 'Ada'))
      sql(`UPDATE ${tableOf('merchants')} SET status = 'x' || char(27) || '[2J', revision = 9;
           INSERT INTO ${tableOf('products')} VALUES ('prod_x', 'm', 'testnet', NULL, NULL, NULL, NULL, 0, '{}');
           DELETE FROM ${tableOf('api_keys')}`)
      const compared = await directory.inside('rebuild', '--compare-only')
      const { stdout } = await directory.inside('rebuild', '--compare-only')
      expect({ ...compared, stderr: '' }).toEqual({ status: 1, stderr: '', stdout })
      expect(stdout.split('\n').map((line) => line.split(/\s{2,}/))).toEqual([
        ['MODEL', 'VERSION', 'EVENTS', 'ROWS', 'FOUND', 'SWITCHED'],
        ...models.map((model) => [
          model,
          `${versionOf(model)}`,
          expect.any(String),
          expect.any(String),
          expect.any(String),
          'no',
        ]),
        [`merchants ${merchantId}: status, revision`],
        [expect.stringMatching(/^api_keys key_\w+: is missing$/)],
        ['products prod_x: does not follow from the log'],
        [''],
      ])
      const healed = await json('--model', 'merchants')
      const row = { id: merchantId, merchant_id: merchantId, listed_under: null, body: expect.any(String) }
      const differences = [
        {
          id: merchantId,
          live: expect.objectContaining({ ...row, status: 'x\u001b[2J', revision: 9 }),
          rebuilt: expect.objectContaining({ ...row, status: null, revision: 4 }),
        },
      ]
      expect(healed).toEqual({
        status: 1,
        stderr: '',
        answer: [rebuilt('merchants', 1, { differing: 1, differences })],
      })
      expect(await json('--model', 'merchants')).toMatchObject({ status: 0, answer: [{ differing: 0 }] })
    },
    processMs,
  )

  it(
    'builds a version of a read model that does not exist yet',
    async () => {
      await directory.json('merchant', 'create', '--name', 'Ada')
      sql(`DROP TABLE ${tableOf('merchants')}; DELETE FROM inline_projections WHERE name = 'merchants'`)
      expect(await directory.inside('rebuild', '--model=merchants')).toMatchObject({
        status: 0,
        stdout:
          'MODEL      VERSION  EVENTS  ROWS  FOUND         SWITCHED\nmerchants  4        5       1     no table yet  yes\n',
      })
    },
    processMs,
  )

  it(
    'rebuild works while the directory is served, and the service sees the healed rows',
    async () => {
      await directory.opened(async ({ billing, sandbox }) => {
        sandbox?.sandbox.start()
        await directory.json('merchant', 'create', '--name', 'Ada')
        const names = await billing.merchants.names()
        sql(`DELETE FROM ${tableOf('merchants')}`)
        expect(await billing.merchants.names()).toEqual([])
        expect((await directory.run('rebuild', '--json')).status).toBe(1)
        expect(await billing.merchants.names()).toEqual(names)
        await directory.json('merchant', 'create', '--name', 'Bob')
        expect((await billing.merchants.names()).length).toBe(2)
        expect(await json('--compare-only')).toMatchObject({ status: 0, stderr: '' })
      })
    },
    processMs,
  )

  it.each([
    { words: ['--model', 'bills'], error: `There is no read model bills. There are: ${models.join(', ')}.` },
    { words: ['--compare-only=yes'], error: "unknown option '--compare-only=yes'" },
    { words: ['--compare-only', '--compare-only'], error: "option '--compare-only' is given twice" },
    { words: ['payments'], error: "too many arguments for 'rebuild'. Expected 0 arguments but got 1: payments." },
  ])(
    'refuses to rebuild with $words',
    async ({ words, error }) => {
      expect(await directory.inside('rebuild', ...words)).toEqual({
        status: 2,
        stdout: '',
        stderr: `${error}\nSee: quittance rebuild --help\n`,
      })
      expect(readdirSync(directory.path)).toEqual([])
    },
    processMs,
  )

  it(
    'rebuild creates nothing without a log, and says why a log is unusable',
    async () => {
      const failure = async () => {
        const { status, stdout, stderr } = await directory.inside('rebuild', '--json')
        return { status, stdout, ...JSON.parse(stderr) }
      }
      const failed = (code: string, error: unknown) => ({ status: 1, stdout: '', code, error })
      const missing = join(directory.path, 'missing')
      const { stderr } = await runInside({ QUITTANCE_DATA_DIR: missing }, 'rebuild', '--json')
      expect(JSON.parse(stderr)).toEqual({
        code: 'no_event_log',
        error: `There is no event log at ${join(missing, 'quittance.db')}.`,
      })
      expect(existsSync(missing)).toBe(false)

      await directory.json('merchant', 'create', '--name', 'Ada')
      const release = lockFile(`${eventLog()}-rebuild`)
      expect(await failure()).toEqual(
        failed('already_rebuilding', 'Another rebuild is running in this directory: wait for its end.'),
      )
      release?.()
      sql("UPDATE inline_projections SET position = 99 WHERE name = 'merchants'")
      expect(await failure()).toEqual(
        failed(
          'altered_log',
          'merchants has applied position 99, but the log ends at 5. `quittance verify` tells more.',
        ),
      )
      sql('PRAGMA user_version = 99')
      expect(await failure()).toEqual(failed('newer_schema', expect.stringContaining('schema version 99')))
      writeFileSync(eventLog(), Buffer.alloc(8_192, 0xa5))
      expect(await failure()).toEqual(failed('store_unavailable', 'The event log cannot be used (disk, lock or file).'))
    },
    processMs,
  )
})
