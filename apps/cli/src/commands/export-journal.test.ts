import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestDirectory, testDirectory } from '../testing/run-cli.ts'
import { merchantIn } from '../testing/shapes.ts'

describe('export journal', () => {
  let directory: TestDirectory
  let merchantId: string
  beforeAll(async () => {
    directory = testDirectory()
    merchantId = merchantIn(await directory.json('merchant', 'create', '--name', 'Ada')).merchantId
  })
  afterAll(() => directory.remove())

  it.each([[['--from', '2026-13']], [['--from', '2026-11', '--to', '2026-11-01']], [['--format', 'xml']]])(
    'rejects malformed or empty ranges and unknown formats: %j',
    async (words) => {
      expect(await directory.refusal('export', 'journal', ...words)).toEqual([2, 'usage'])
    },
  )

  it('writes what the account of a new merchant holds, in the format that is asked for', async () => {
    const printed = await directory.run('export', 'journal')
    expect(printed.stdout).toContain('Equity:Opening balances  -10000.0000000 "XLM"')
    const path = join(directory.path, 'books.csv')
    expect(await directory.json('export', 'journal', '--format', 'csv', '--out', path)).toEqual({
      merchant_id: merchantId,
      environment: 'testnet',
      from: null,
      to: null,
      entries: 1,
      file: path,
      journal: null,
    })
    expect(readFileSync(path, 'utf8').split('\r\n')).toHaveLength(4)
    expect(await directory.refusal('export', 'journal', '--out', path)).toEqual([1, 'file_exists'])
  })

  it('writes nothing for a time without entries', async () => {
    const found = await directory.json('export', 'journal', '--to', '2001-01', '--format', 'json')
    expect(found).toMatchObject({ entries: 0 })
  })
})
