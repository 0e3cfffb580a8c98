import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestDirectory, testDirectory } from '../testing/run-cli.ts'

describe('whatif', () => {
  let directory: TestDirectory
  let policy: string
  beforeAll(async () => {
    directory = testDirectory()
    policy = join(directory.path, 'policy.json')
    await writeFile(policy, '{"dunning_schedule":[6,24],"after_retries":"cancel"}')
  })
  afterAll(() => directory.remove())

  it.each([
    [['--from', 'yesterday']],
    [['--from', '2026-02', '--to', '2026-02']],
    [['--from', '2026-02', '--csv', '--html']],
  ])('rejects malformed or empty ranges, and two forms at once: %j', async (words) => {
    expect(await directory.refusal('whatif', '--policy', policy, ...words)).toEqual([2, 'usage'])
  })

  it('rejects a policy with problems, and tables that no merchant can set', async () => {
    await directory.json('merchant', 'create', '--name', 'Ada')
    const other = join(directory.path, 'other.json')
    await writeFile(other, '{"grace":1}')
    expect(await directory.refusal('whatif', '--policy', other, '--from', '2026-01')).toEqual([2, 'invalid_policy'])
    await writeFile(other, '{"dunning_schedule":[24,6]}')
    expect(await directory.refusal('whatif', '--policy', other, '--from', '2026-01')).toEqual([
      1,
      'dunning_schedule_invalid',
    ])
  })

  it.each([
    ['{"prices":{"prod_1":{"amount":12.5}}}'],
    ['{"prices":{"prod_1":{"amount":"12.5","from":"soon"}}}'],
    ['{"prices":{"prod_1":{"amount":"12.5","until":"2026-03"}}}'],
    ['{"prices":["prod_1"]}'],
    ['{"longest_pause_days":-1}'],
  ])('rejects prices and pauses that say something else: %s', async (text) => {
    const other = join(directory.path, 'malformed.json')
    await writeFile(other, text)
    expect(await directory.refusal('whatif', '--policy', other, '--from', '2026-01')).toEqual([2, 'invalid_policy'])
  })

  it('names a product that nobody sells, and says what other prices and pauses assume', async () => {
    const other = join(directory.path, 'prices.json')
    await writeFile(other, '{"prices":{"prod_1":{"amount":"12.5","from":"2026-01"}}}')
    expect(await directory.refusal('whatif', '--policy', other, '--from', '2026-01')).toEqual([
      1,
      'other_price_refused',
    ])
    await writeFile(other, '{"longest_pause_days":14}')
    const { stdout } = await directory.inside('whatif', '--policy', other, '--from', '2026-01')
    expect(stdout).toContain('It assumes that nobody would have canceled for want of a longer pause.')
  })

  it('has nothing to tell of a merchant without subscriptions', async () => {
    const range = ['--from', '2026-01', '--to', '2026-02']
    const nothing = {
      ...{ revenue: {}, revenue_by_month: {} },
      ...{ attempts: 0, paid: 0, recovered: 0, overdue: 0, paused: 0 },
      ...{ canceled_unpaid: 0, canceled_by_customers: 0, canceled_otherwise: 0, access_days: '0' },
    }
    expect(await directory.json('whatif', '--policy', policy, ...range)).toEqual({
      environment: 'testnet',
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-02-01T00:00:00.000Z',
      policy_file: policy,
      ...{ subscriptions: 0, reproduced: 0, otherwise: 0, ends: 0, assumed: 0, without_effect: 0 },
      ...{ recorded: nothing, what_if: nothing, control: nothing, left_out: [], assumes: [] },
    })
  })

  it('prints the figures as CSV, or as a page that needs nothing else', async () => {
    const range = ['--policy', policy, '--from', '2026-01', '--to', '2026-02']
    const csv = await directory.inside('whatif', ...range, '--csv')
    expect(csv.stdout.split('\r\n').slice(0, 2)).toEqual([
      ',RECORDED,WHAT IF,DIFFERENCE,CONTROL',
      'charges tried,0,0,0,0',
    ])
    const { stdout: page } = await directory.inside('whatif', ...range, '--html')
    expect(page).toMatch(/^<!doctype html>/)
    expect(page).toContain('<td>charges tried</td><td>0</td>')
    expect(page).not.toMatch(/src=|href=|@import|url\(/)
  })
})
