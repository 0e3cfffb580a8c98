import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { evidenceFile } from '@quittance/billing/testing/evidence-sample'
import { runInside, type TestDirectory, testDirectory } from '../testing/run-cli.ts'

describe('verify, of a file of evidence', () => {
  let directory: TestDirectory
  let file: Awaited<ReturnType<typeof evidenceFile>>
  let path: string
  beforeAll(async () => {
    directory = testDirectory()
    path = join(directory.path, 'evidence.json')
    file = await evidenceFile()
  })
  beforeEach(() => writeFileSync(path, file.text))
  afterAll(() => directory.remove())

  /** Without a data directory, as an auditor has none. */
  const verify = (...words: ReadonlyArray<string>) => runInside({}, 'verify', ...words)

  it('says what it shows, by the keys that the auditor has', async () => {
    expect(await verify(path, '--key', file.key, '--witnesses', file.witness)).toEqual({
      status: 0,
      stdout: `ok: 5 events in 3 streams about the payment pay_1, 1 withheld
log log.example/a, of 7 events
cosigned by witness.example/w at 2026-11-23T00:00:00.000Z, of 3 events
cosigned by witness.example/w at 2026-11-23T00:00:00.000Z, of 7 events
transaction ${/stellartx-(\w+)/.exec(file.text)?.[1]} names the checkpoint of 3 events, if its ledger holds it
`,
      stderr: '',
    })
    expect(JSON.parse((await verify(path, '--key', file.key, '--json')).stdout)).toMatchObject({
      ok: true,
      about: { kind: 'payment', id: 'pay_1' },
      log: 'log.example/a',
      ...{ log_events: 7, streams: 3, events: 5, withheld: 1, cosigned: [] },
    })
  })

  it('names each problem', async () => {
    const changed = file.text.replace(/"recorded_at":(\d+)\d,/g, '"recorded_at":$10,').replace('"pay_1"', '"pay_9"')
    writeFileSync(path, changed)
    const { status, stdout } = await verify(path, '--key', file.key)
    expect({ status, lines: stdout.split('\n').slice(0, 3) }).toEqual({
      status: 1,
      lines: [
        'not ok: 2 problems',
        'payment-pay_9 is missing, which it is about',
        'payment-pay_1 @ 1: the log does not hold this event, or not with this time',
      ],
    })
  })

  it('needs a key, a file that it can read, and witnesses only of a file', async () => {
    const code = async (...words: ReadonlyArray<string>) => JSON.parse((await verify(...words, '--json')).stderr).code
    expect(await code(path)).toBe('usage')
    expect(await code(path, '--key', 'x')).toBe('usage')
    expect(await code(path, '--key', file.witness)).toBe('usage')
    expect(await code(`${path}.none`, '--key', file.key)).toBe('file_unreadable')
    expect(await code('--witnesses', file.witness)).toBe('usage')
    expect(await code(path, '--key', file.key, '--against', path)).toBe('usage')
  })
})
