import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asText } from '@quittance/domain'
import { openDatabase } from '@quittance/event-store/sqlite'
import { processMs, runInside, type TestDirectory, testDirectory } from '../testing/run-cli.ts'
import { merchantIn } from '../testing/shapes.ts'

const notChecked = ['what the events say, since the log is not as it was written']

describe('verify', () => {
  let directory: TestDirectory
  beforeEach(() => {
    directory = testDirectory()
  })
  afterEach(() => directory.remove())

  const verified = async (): Promise<{ readonly status: number; readonly answer: unknown }> => {
    const { status, stdout, stderr } = await directory.inside('verify', '--json')
    if (stderr !== '') throw new Error(stderr)
    return { status, answer: JSON.parse(stdout) }
  }
  const eventLog = (): string => join(directory.path, 'quittance.db')
  /** Replaces the first occurrence of a text in the closed file. */
  const alter = (text: string, other: string): void => {
    const bytes = readFileSync(eventLog())
    const at = bytes.indexOf(text)
    if (at < 0) throw new Error(`${text} is not in the log`)
    bytes.write(other, at)
    writeFileSync(eventLog(), bytes)
  }

  it(
    'verify finds no problem in an unaltered log',
    async () => {
      await directory.json('merchant', 'create', '--name', 'Ada')
      expect(await verified()).toEqual({ status: 0, answer: { ok: true, events: 5, problems: [], not_checked: [] } })
      expect(await directory.run('verify')).toEqual({ status: 0, stdout: 'ok: 5 events, 0 problems\n', stderr: '' })
    },
    processMs,
  )

  it('says once that the end of the log was cut off', async () => {
    await directory.json('merchant', 'create', '--name', 'Ada')
    const database = openDatabase(eventLog(), { durability: 'full' })
    database.execute('DELETE FROM events WHERE position > 3')
    database.close()
    const problem = 'its end is missing: read models have applied position 5, and the log ends at 3'
    expect(await verified()).toEqual({
      status: 1,
      answer: { ok: false, events: 3, problems: [{ stream: null, revision: null, problem }], not_checked: notChecked },
    })
  })

  it(
    'verify names the event with a changed byte, and exits with status 1',
    async () => {
      const { merchantId } = merchantIn(await directory.json('merchant', 'create', '--name', 'Ada Lovelace'))
      alter('{"name":"Ada Lovelace"}', '{"name":"Eda Lovelace"}')
      const { status, answer } = await verified()
      expect({ status, answer }).toEqual({
        status: 1,
        answer: {
          ok: false,
          events: 5,
          problems: [{ stream: `merchant-${merchantId}`, revision: 0, problem: expect.stringMatching(/hash/) }],
          not_checked: notChecked,
        },
      })
      const { stdout } = await directory.inside('verify')
      expect(stdout.split('\n').map((line) => line.split(': ')[0])).toEqual([
        'not ok',
        `merchant-${merchantId} @ 0`,
        'not checked',
        '',
      ])
    },
    processMs,
  )

  it(
    'verify replaces control characters of a forged log',
    async () => {
      await directory.json('merchant', 'create', '--name', 'Ada')
      const database = openDatabase(eventLog(), { durability: 'full' })
      database.prepare("UPDATE events SET stream = 'x' || char(27) || '[2Jok' WHERE revision = 0").run()
      database.close()
      const { status, stdout } = await directory.inside('verify')
      expect({ status, isEscaping: stdout.includes('\u001b'), isNamed: stdout.includes('x\uFFFD[2Jok @ 0: ') }).toEqual(
        {
          status: 1,
          isEscaping: false,
          isNamed: true,
        },
      )
    },
    processMs,
  )

  it(
    'verify reports a log that is too damaged to open',
    async () => {
      await directory.json('merchant', 'create', '--name', 'Ada')
      writeFileSync(eventLog(), Buffer.alloc(8_192, 0xa5))
      expect(await verified()).toEqual({
        status: 1,
        answer: {
          ok: false,
          events: 0,
          problems: [{ stream: null, revision: null, problem: expect.stringMatching(/^the file cannot be read: /) }],
          not_checked: notChecked,
        },
      })
    },
    processMs,
  )

  it(
    'verify works while the directory is served, and without its key',
    async () => {
      await directory.opened(async ({ billing, clock }) => {
        const commandId = billing.freshId()
        const { _tag } = await billing.merchants.create(
          {
            environment: 'testnet',
            commandId,
            correlationId: commandId,
            causationId: null,
            actor: 'operator',
            at: clock.now('testnet'),
          },
          asText('Ada'),
        )()
        rmSync(join(directory.path, 'master.key'))
        expect({ _tag, ...(await verified()) }).toEqual({
          _tag: 'Right',
          status: 0,
          answer: {
            ok: true,
            events: 5,
            problems: [],
            not_checked: ['the keys of the vault, and what is sealed under them: the master key is not set'],
          },
        })
      })
    },
    processMs,
  )

  it(
    'verify reports a missing log, and writes nothing to an empty or missing directory',
    async () => {
      const absent = (path: string) => ({
        status: 1,
        stderr: '',
        stdout: `${JSON.stringify({
          ok: false,
          events: 0,
          problems: [
            { stream: null, revision: null, problem: `there is no event log at ${join(path, 'quittance.db')}` },
          ],
          not_checked: notChecked,
        })}\n`,
      })
      expect(await directory.inside('verify', '--json')).toEqual(absent(directory.path))
      const missing = join(directory.path, 'missing')
      expect(await runInside({ QUITTANCE_DATA_DIR: missing }, 'verify', '--json')).toEqual(absent(missing))
      expect(readdirSync(directory.path)).toEqual([])
    },
    processMs,
  )

  it(
    'verify refuses a log of a newer release',
    async () => {
      await directory.json('merchant', 'create', '--name', 'Ada')
      const database = openDatabase(eventLog(), { durability: 'full' })
      database.execute('PRAGMA user_version = 99')
      database.close()
      const { status, stdout, stderr } = await directory.inside('verify', '--json')
      expect({ status, stdout, stderr: JSON.parse(stderr) }).toEqual({
        status: 1,
        stdout: '',
        stderr: { error: expect.stringContaining('schema version 99'), code: 'newer_schema' },
      })
    },
    processMs,
  )
})
