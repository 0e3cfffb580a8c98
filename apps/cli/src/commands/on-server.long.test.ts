import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockFile } from '@quittance/event-store/sqlite'
import { inlineProjections } from '@quittance/projections'
import { type OnServer, onServer } from '../testing/on-server.ts'
import { runInside } from '../testing/run-cli.ts'
import { merchantIn } from '../testing/shapes.ts'

describe('verify and rebuild with a log on a server', () => {
  let deployment: OnServer
  beforeEach(async () => {
    deployment = await onServer()
  })
  afterEach(() => deployment.end())
  const json = async (...words: ReadonlyArray<string>) => {
    const { status, stdout, stderr } = await deployment.directory.inside(...words, '--json')
    return {
      status,
      answer: stdout === '' ? null : JSON.parse(stdout),
      error: stderr === '' ? null : JSON.parse(stderr),
    }
  }
  const create = async (name = 'Ada Lovelace') =>
    merchantIn(await deployment.directory.json('merchant', 'create', '--name', name))

  it('verifies a log on a server, also from a directory without read models', async () => {
    const { merchantId } = await create()
    const ok = (notChecked: string) => ({
      status: 0,
      stdout: `{"ok":true,"events":5,"problems":[],"not_checked":[${notChecked}]}\n`,
      stderr: '',
    })
    expect(await deployment.directory.run('verify', '--json')).toEqual(ok(''))
    const elsewhere = {
      QUITTANCE_DATA_DIR: join(deployment.directory.path, 'missing'),
      QUITTANCE_EVENT_STORE: deployment.server.connectionString,
    }
    expect(await runInside(elsewhere, 'verify', '--json')).toEqual(ok('"the vault: there is none"'))
    expect(readdirSync(deployment.directory.path)).not.toContain('missing')

    deployment.tamper(`UPDATE peer_events SET data = x'7B226E616D65223A22457665227D' WHERE revision = 0`)
    expect(await deployment.directory.inside('verify')).toEqual({
      status: 1,
      stdout: `not ok: 5 events, 1 problem\nmerchant-${merchantId} @ 0: its hash does not match its content\nnot checked: what the events say, since the log is not as it was written\n`,
      stderr: '',
    })
  })

  it('finds a log whose tail was cut off, by the heads that read models recorded', async () => {
    const { merchantId } = await create()
    deployment.tamper('DELETE FROM peer_events WHERE revision = 4')
    const problem = 'is missing, though it was recorded as the last event of the log'
    expect(await json('verify')).toEqual({
      status: 1,
      answer: {
        ok: false,
        events: 4,
        problems: [{ stream: `merchant-${merchantId}`, revision: 4, problem }],
        not_checked: ['what the events say, since the log is not as it was written'],
      },
      error: null,
    })
    writeFileSync(join(deployment.directory.path, 'read-models.db'), Buffer.alloc(8_192, 0xa5))
    expect((await json('verify')).answer.problems).toEqual([
      {
        stream: null,
        revision: null,
        problem: expect.stringMatching(/^what was recorded of the log .* cannot be read$/),
      },
    ])
  })

  it('rebuilds read models while the service runs, which sees the healed rows', async () => {
    await deployment.directory.opened(async ({ billing, readiness }) => {
      const { merchantId } = await create()
      await billing.merchants.keys(merchantId)
      while ((await readiness()).read_models?.lag !== 0);
      const names = await billing.merchants.names()
      expect(names.length).toBe(1)
      const version = inlineProjections.find(({ name }) => name === 'merchants')?.version
      deployment.alterReadModels(`DELETE FROM merchants_${version}`)
      expect(await billing.merchants.names()).toEqual([])
      const { status, stdout, stderr } = await deployment.directory.run('rebuild')
      expect({ status, lines: stdout.split('\n').map((line) => line.split(/\s{2,}/)) }).toEqual({
        status: 1,
        lines: [
          ['MODEL', 'VERSION', 'EVENTS', 'ROWS', 'FOUND', 'SWITCHED'],
          ...inlineProjections.map(({ name: model, version }) => [
            model,
            String(version),
            /^(announcements|merchants|api_keys|settlement_set_ups|watched_accounts)$/.test(model) ? '5' : '0',
            /^(merchants|api_keys|settlement_set_ups|watched_accounts)$/.test(model) ? '1' : '0',
            model === 'merchants' ? '1 row differs' : 'equal',
            'yes',
          ]),
          [`merchants ${merchantId}: is missing`],
          [''],
        ],
      })
      const read = 5 * inlineProjections.length
      expect(stderr).toMatch(
        new RegExp(
          `(^|\\n)${inlineProjections.at(-1)?.name}: ${read} of ${read} events, [\\d,]+/s, 4 rows compared\\n$`,
        ),
      )
      expect(await billing.merchants.names()).toEqual(names)
      await create('Bob')
      while ((await readiness()).read_models?.lag !== 0);
      expect((await billing.merchants.names()).length).toBe(2)
      expect(await json('rebuild', '--compare-only')).toMatchObject({ status: 0, error: null })
    })
  })

  it('explains why a rebuild is not possible', async () => {
    const failure = async () => {
      const { status, error } = await json('rebuild')
      return { status, ...error }
    }
    expect(await failure()).toEqual({
      status: 1,
      code: 'no_read_models',
      error: `There are no read models at ${join(deployment.directory.path, 'read-models.db')}: the service makes them when it starts.`,
    })
    await create()
    const release = lockFile(join(deployment.directory.path, 'read-models.db-rebuild'))
    expect(await failure()).toMatchObject({ status: 1, code: 'already_rebuilding' })
    release?.()
    deployment.tamper('DELETE FROM peer_events WHERE revision = 4')
    expect(await failure()).toEqual({
      status: 2,
      code: 'invalid_configuration',
      error: 'QUITTANCE_EVENT_STORE must be the event store that the data directory was written beside',
    })
  })

  it('stops when a server does not answer, and names an unusable connection string', async () => {
    await create()
    deployment.server.freeze()
    const givesUp = async (word: string): Promise<void> => {
      expect(await json(word)).toMatchObject({ status: 1, answer: null, error: { code: 'store_unavailable' } })
      expect(await runInside({ QUITTANCE_EVENT_STORE: 'esdb://127.0.0.1:1' }, word, '--json')).toEqual({
        status: 2,
        stdout: '',
        stderr: expect.stringContaining('QUITTANCE_EVENT_STORE must be a connection string that can be used'),
      })
    }
    await Promise.all(['verify', 'rebuild'].map(givesUp))
  })
})
